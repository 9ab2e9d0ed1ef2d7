import './job.css'
import type { ReactNode } from 'react'

/** A box of the page with its title, what is said beside it, and a button at its end. */
export const Section = ({ title, beside, end, children }: Props) => (
  <section className="job-part" aria-label={title}>
    <div className="hd">
      <h2>{title}</h2>
      {beside && <span className="dim sm">{beside}</span>}
      <span className="push" />
      {end}
    </div>
    <div className="bd">{children}</div>
  </section>
)
interface Props {
  title: string
  beside?: ReactNode
  end?: ReactNode
  children: ReactNode
}
