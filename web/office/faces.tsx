import type { Seen } from '../client/index.ts'
import { Face } from '../ui/marks.tsx'
import { t } from '../ui/words.ts'

/** So many plates are shown; the others are counted. */
const shown = 4

/** Who else looks at the same right now. */
export function Faces({ of }: { of: readonly Seen[] }) {
  if (of.length === 0) return null
  const names = of.map(({ user_name }) => user_name ?? '').join(', ')
  return (
    <span className="faces" role="img" aria-label={t('Here now: {names}', { names })} title={names}>
      {of.slice(0, shown).map(({ id, user_name }) => (
        <Face key={id} name={user_name ?? ''} />
      ))}
      {of.length > shown && <span className="dim sm">{`+${of.length - shown}`}</span>}
    </span>
  )
}
