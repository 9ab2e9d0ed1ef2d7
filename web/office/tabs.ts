import type { Feature } from '../../src/fields/record.ts'
import type { IconName } from '../ui/icon.tsx'
import { msg } from '../ui/words.ts'
import { type Permission, type Session, useSession } from './session.ts'

export interface Tab {
  /** First word of its addresses. */
  id: string
  label: string
  icon: IconName
  /** After G, goes there. */
  key: string
  /** Which right opens it; `read` shows it without offering what would be refused. */
  permission: Permission
  feature?: Feature
  /** Stands at the foot of the rail. */
  foot?: true
}

/** In the order of the rail. A tab that a person may not see does not exist for them. */
export const tabs: Tab[] = [
  { id: 'schedule', label: msg('Schedule'), icon: 'schedule', key: 's', permission: 'schedule' },
  { id: 'jobs', label: msg('Jobs'), icon: 'jobs', key: 'j', permission: 'jobs' },
  { id: 'messages', label: msg('Messages'), icon: 'messages', key: 'm', permission: 'messaging' },
  { id: 'customers', label: msg('Customers'), icon: 'customers', key: 'c', permission: 'customers' },
  {
    id: 'equipment',
    label: msg('Equipment'),
    icon: 'equipment',
    key: 'e',
    permission: 'equipment',
    feature: 'equipment',
  },
  { id: 'reports', label: msg('Reports'), icon: 'reports', key: 'r', permission: 'reports' },
  { id: 'admin', label: msg('Admin'), icon: 'admin', key: 'a', permission: 'admin', foot: true },
]

export const opens = ({ permissions, account }: Session, { permission, feature }: Tab): boolean =>
  permissions[permission] !== 'none' && (!feature || account.features[feature] !== false)

/** Whether they may change things there, and not only look. */
export const mayChange = ({ permissions }: Session, permission: Permission): boolean =>
  permissions[permission] === 'full'

/** Which tabs who is signed in may see: what leads elsewhere is a link only there. */
export function useOpens(): (tab: string) => boolean {
  const session = useSession()
  return (id) => tabs.some((tab) => tab.id === id && opens(session, tab))
}
