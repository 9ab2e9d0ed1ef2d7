import type { Shown } from '../client/phone/phone.ts'
import { t } from '../ui/words.ts'
import { api, currentPhone, type Message, rowOf, rowsOf, type Thread } from './store.ts'

/** All of a thread, with what was written here and is not in the set yet, in order. */
export function messagesOf(shown: Shown, thread: Thread): Message[] {
  const byId = new Map(thread.messages.map((one) => [one.id, one]))
  for (const one of rowsOf(shown, 'message'))
    if (one.thread_id === thread.id && !byId.has(one.id)) byId.set(one.id, one)
  return [...byId.values()].toSorted((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? ''))
}

const isFromMe = (message: Message) => message.from_user_id === currentPhone().person.user_id
const isRead = (message: Message) =>
  isFromMe(message) || message.read_by_user_ids.includes(currentPhone().person.user_id)

export const isUnread = (shown: Shown, thread: Thread): boolean => messagesOf(shown, thread).some((one) => !isRead(one))

export function nameOfThread(shown: Shown, thread: Thread): string {
  if (thread.subject) return thread.subject
  const job = rowOf(shown, 'job', thread.job_id)
  if (job?.customer_name) return job.customer_name
  if (thread.all_workers) return t('All workers')
  return (
    namesOf(
      shown,
      thread.user_ids.filter((id) => id !== currentPhone().person.user_id),
    ) || t('The office')
  )
}

export const namesOf = (shown: Shown, ids: readonly number[]): string =>
  ids.flatMap((id) => rowOf(shown, 'user', id)?.name ?? []).join(', ')

export const authorOf = (shown: Shown, message: Message): string =>
  message.from_user_name ?? rowOf(shown, 'user', message.from_user_id)?.name ?? t('The office')

/** What was told already: the set says so itself a little later. */
const told = new Set<string>()

/** Tells the office which messages are on this phone or were read here. Whoever is out of reach says so the next time. */
export function tellMarks(thread: Thread, mark: 'receipt' | 'reading'): void {
  const { user_id } = currentPhone().person
  const list = mark === 'receipt' ? 'received_by_user_ids' : 'read_by_user_ids'
  const ids = thread.messages.flatMap((one) =>
    isFromMe(one) || one[list].includes(user_id) || told.has(`${mark} ${one.id}`) ? [] : [one.id],
  )
  if (ids.length === 0 || !navigator.onLine) return
  for (const id of ids) told.add(`${mark} ${id}`)
  const path = (id: string) => `/v5/messaging/${thread.id}/messages/${id}/${mark}.json`
  const requests = ids.map((id) => ({ method: 'POST', path: path(id) }))
  api.request('POST', 'batch', { body: { batch: { requests } } }).then(
    () => currentPhone().ask(),
    () => {
      for (const id of ids) told.delete(`${mark} ${id}`)
    },
  )
}
