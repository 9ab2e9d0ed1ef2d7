import './sign-in.css'
import type { ReactNode } from 'react'
import { t } from '../../ui/words.ts'
import { Wall } from './wall.tsx'

/** What stands around everything that is done before somebody is signed in. */
export const SignInPage = ({ children }: { children: ReactNode }) => (
  <div className="sign-in">
    <main className="form" id="main">
      <div className="line name">
        <svg width="28" height="28" viewBox="0 0 24 24" aria-hidden="true">
          <rect width="24" height="24" rx="3" fill="var(--frame)" />
          <path d="M4 5h16v5h-2.5v4h-11v-4H4z" fill="var(--signal)" />
          <path d="M6.5 16.5h11v3h-11z" fill="none" stroke="var(--ink-frame)" strokeWidth="1.2" />
        </svg>
        <b>Muster</b>
      </div>
      {children}
      <p className="xs dim">{t('Workers sign in with the app on their phones.')}</p>
    </main>
    <Wall />
  </div>
)

/** The heading of a step, and a line under it. */
export const Step = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <div>
    <h1>{title}</h1>
    <p className="two-ink">{children}</p>
  </div>
)
