import { drawings, type IconName } from './drawings.tsx'

/** These point along the line: where that runs from the right they point the other way. */
const alongTheLine: ReadonlySet<IconName> = new Set(['left', 'right', 'undo', 'redo', 'send', 'arrow', 'back', 'out'])

/** A drawing beside words, or of a control that has a label: it is never read out itself. */
export function Icon({
  name,
  size = '',
  className = '',
}: {
  name: IconName
  size?: 's' | 'l' | ''
  className?: string
}) {
  return (
    <svg
      className={['i', size, alongTheLine.has(name) && 'along', className].filter(Boolean).join(' ')}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  )
}

/** The key that does the same: for eyes only, since `aria-keyshortcuts` and the names of menus say it to the rest. */
export const Keys = ({ children }: { children: string }) => (
  <span className="keys" aria-hidden="true">
    <kbd>{children}</kbd>
  </span>
)

export type { IconName }
