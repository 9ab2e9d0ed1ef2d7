import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName, Keys } from './icon.tsx'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** One primary a screen. */
  kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  small?: boolean
  icon?: IconName
  /** Opens something: a caret at the end. */
  caret?: boolean
  count?: number
  /** The key that does the same, as it is printed on the keyboard. */
  shortcut?: string
  /** Keeps its words and width, and can't be pressed again. */
  busy?: boolean
  /** Why it can't be pressed now. It stays in the tab order, so that the reason can be read. */
  unless?: string | null | false | undefined
  /** Without it the button is its icon, and needs an `aria-label`. */
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function Button(props: Props) {
  const { kind = 'plain', small, icon, caret, count, shortcut, busy, unless, children, className, ...rest } = props
  const off = Boolean(busy || unless)
  const classes = ['btn', kind !== 'plain' && kind, small && 'small', children === undefined && 'only', className]
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      aria-disabled={off || undefined}
      title={unless || rest.title || (children === undefined ? rest['aria-label'] : undefined)}
      onClick={off ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
      {count !== undefined && <span className="count">{count}</span>}
      {shortcut && <Keys>{shortcut}</Keys>}
      {caret && <Icon name="down" className="caret" />}
    </button>
  )
}
