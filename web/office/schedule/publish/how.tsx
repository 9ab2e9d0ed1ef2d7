import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { useDesk } from '../desk.ts'
import { agoText } from '../words.ts'
import type { ToldPerson } from './publication.ts'

/** A device that was not heard for so long may not say it in time; a mail follows. */
const silentMs = 10 * 60_000

/** By which ways a person is told, and whether their phone has been heard. */
export function How({ person: { ways, silent, heard_at } }: { person: ToldPerson }) {
  const now = useObservable(useDesk().now)
  const ago = heard_at === null ? null : now - Date.parse(heard_at)
  const isQuiet = ago === null || ago > silentMs
  const hasApp = ways.includes('app') || ways.includes('push')
  return (
    <div className="how">
      {hasApp && (
        <span className={isQuiet ? 'line risk' : 'line'}>
          <Icon name="phone" />
          {ago === null
            ? t('App, never heard')
            : isQuiet
              ? t('App, silent for {ago}', { ago: agoText(ago) })
              : t('App, heard {ago} ago', { ago: agoText(Math.max(ago, 60_000)) })}
        </span>
      )}
      {hasApp && silent && (
        <span className="line">
          <Icon name="moon" />
          {t('Without a sound: off shift')}
        </span>
      )}
      {ways.includes('mail') && (
        <span className="line">
          <Icon name="mail" />
          {hasApp ? t('Mail too, after 10 min') : t('Mail: has no app')}
        </span>
      )}
      {ways.includes('call') && (
        <span className="line risk">
          <Icon name="phone" />
          {t('No app, no mail: call them')}
        </span>
      )}
    </div>
  )
}
