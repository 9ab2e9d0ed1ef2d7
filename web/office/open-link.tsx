import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Id } from '../ui/records/names.ts'

/** Opens an entry beside its list; the rest of the address stays. */
export const OpenLink = ({ id, className, children }: { id: Id; className?: string; children: ReactNode }) => (
  // Every list has this in its address, and the router's types know of no list.
  <Link
    to="."
    search={((now: object) => ({ ...now, open: String(id), edit: undefined })) as never}
    replace
    {...(className && { className })}
  >
    {children}
  </Link>
)
