import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Across the screen, under the bars: amber for what waits, red for what was refused. */
export const Banner = ({ kind = 'wait', icon, children, action }: BannerProps) => (
  <div className={kind === 'refused' ? 'banner bad' : 'banner'} role="status">
    <Icon name={icon ?? (kind === 'refused' ? 'alert' : 'offline')} />
    <span className="push">{children}</span>
    {action}
  </div>
)
interface BannerProps {
  kind?: 'wait' | 'refused'
  icon?: IconName
  children: ReactNode
  action?: ReactNode
}

/** Nothing is here: what is missing, in one sentence, and what to do now. `page` where it is all there is. */
export function Empty({ title, children, actions, page }: EmptyProps) {
  const Heading = page ? 'h1' : 'h2'
  return (
    <div className="empty">
      <Heading>{title}</Heading>
      {children && <p className="two-ink">{children}</p>}
      {actions && <div className="line">{actions}</div>}
    </div>
  )
}
interface EmptyProps {
  title: string
  children?: ReactNode
  actions?: ReactNode
  page?: boolean
}

/** Stands where something will be; in the geometry of what comes. */
export const Skeleton = ({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) => (
  <span className="skel" style={{ width, height }} />
)
