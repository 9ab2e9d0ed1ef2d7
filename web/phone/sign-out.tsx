import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { Act, Sheet } from './parts.tsx'
import { save } from './rescue.tsx'
import { go } from './route.ts'
import { signOut, useShown } from './store.ts'
import { hush } from './toast.tsx'

/** Asks first when something waits: it stays here for this person, unless they throw it away in so many words. */
export function SignOut() {
  const { entries } = useShown()
  const [asks, setAsks] = useState(false)
  const [said, say] = useState<string | null>(null)
  const waiting = entries.filter(({ state }) => state === 'waiting' || state === 'refused').length
  const leave = async (what: 'keep' | 'throw away') => {
    hush()
    await signOut(what)
    go('/', 'instead')
  }
  return (
    <div className="ends">
      <button type="button" className="btn block" onClick={() => (waiting > 0 ? setAsks(true) : leave('keep'))}>
        <Icon name="out" />
        <span>{t('Sign out on this phone')}</span>
      </button>
      {asks && (
        <Sheet
          title={t('{waiting, plural, one {# entry is still waiting} other {# entries are still waiting}}', {
            waiting,
          })}
          sub={t('Sign out anyway?')}
          onClose={() => setAsks(false)}
          acts={
            <Act mid onAct={() => setAsks(false)}>
              {t('Stay signed in')}
            </Act>
          }
        >
          <p>{t('They stay on this phone and go when you sign in again. Nobody else who signs in here sees them.')}</p>
          <div className="btns">
            <button type="button" className="btn block strong" onClick={async () => say(await save())}>
              <Icon name="download" />
              <span>{t('Save what is waiting')}</span>
            </button>
            <button type="button" className="btn block" onClick={() => leave('keep')}>
              <Icon name="lock" />
              <span>{t('Sign out, keep them')}</span>
            </button>
            <button type="button" className="btn block danger" onClick={() => leave('throw away')}>
              <Icon name="trash" />
              <span>{t('Sign out and throw them away')}</span>
            </button>
          </div>
          <p role="status">{said}</p>
        </Sheet>
      )}
    </div>
  )
}
