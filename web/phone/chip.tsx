import type { ReactNode } from 'react'
import { disputesOf } from '../client/phone/conflicts.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { To } from './parts.tsx'
import { rowsOf, useFormats, useShown } from './store.ts'

/** What became of what was done, on every screen: the higher wins. (docs/phone.md) */
export function Chip() {
  const shown = useShown()
  const { entries, sending, lostAt, isSignedOut, askedAt } = shown
  const { time } = useFormats()
  const refused = entries.filter(({ state }) => state === 'refused').length
  const needs = refused + disputesOf(rowsOf(shown, 'conflict')).length + (isSignedOut ? 1 : 0)
  const waiting = entries.filter(({ state }) => state === 'waiting')
  const count = waiting.length
  const said = ((): [string, ReactNode, string, string] => {
    const glyph = (name: IconName) => <Icon name={name} />
    if (needs > 0)
      return [
        'needs',
        <b key="n">{needs}</b>,
        t('{needs} needs you', { needs }),
        count > 0 ? t('{count} waiting', { count }) : lostAt ? t('no connection') : t('rest received'),
      ]
    if (lostAt)
      return [
        'off',
        count > 0 ? <b key="n">{count}</b> : glyph('offline'),
        t('No connection'),
        t('since {time}', { time: time(lostAt) }),
      ]
    if (sending.size > 0)
      return ['sending', glyph('upload'), t('Sending…'), t('{sent} of {count}', { sent: sending.size, count })]
    if (count > 0)
      return [
        'waiting',
        <b key="n">{count}</b>,
        t('{count} waiting', { count }),
        t('since {time}', { time: time(waiting[0]?.madeAt ?? '') }),
      ]
    if (!askedAt) return ['sending', glyph('download'), t('Fetching…'), '']
    return ['ok', glyph('check'), t('All received'), t('at {time}', { time: time(askedAt) })]
  })()
  const [sync, tab, first, second] = said
  return (
    <To className="chip" to="/outbox" data-sync={sync}>
      <span className="tab" aria-hidden="true">
        {tab}
      </span>
      <span className="w">
        <b>{first}</b> <span>{second}</span>
        <span className="vh">
          {lostAt && count > 0 ? `, ${t('{count} waiting', { count })}` : ''}. {t('Opens the outbox')}
        </span>
      </span>
    </To>
  )
}
