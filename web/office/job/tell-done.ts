import type { ApiFault } from '../../client/index.ts'
import { type Toast, toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'

/** Tells that a write was kept, with what the server has to say of it; or that somebody else was first. */
export function tellDone(says: string, body: unknown, action: Toast['action']): void {
  const { conflicts = [], warnings = [] } = (body ?? {}) as { conflicts?: object[]; warnings?: ApiFault[] }
  if (conflicts.length > 0)
    toast({
      kind: 'others',
      title: t('Somebody else has changed the same'),
      detail: t('Theirs stays for now; both are shown with the job.'),
    })
  else
    toast({
      title: says,
      about: 'deed',
      ...(warnings[0] && { detail: warnings[0].message }),
      ...(action && { action }),
    })
}
