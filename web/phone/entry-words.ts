import type { Entry } from '../client/phone/entry.ts'
import { t } from '../ui/words.ts'

/** What an entry is, in words. */
export function wordsOf({ words: { key, values } }: Pick<Entry, 'words'>): string {
  const name = String(values.name ?? '')
  const value = String(values.value ?? '–')
  const say: { [key: string]: () => string } = {
    step: () => t('Completed {name}', { name }),
    unstep: () => t('Opened {name} again', { name }),
    accepted: () => t('Accepted'),
    declined: () => t('Declined'),
    pause: () => t('Paused'),
    resume: () => t('Went on'),
    field: () => `${name}: ${value}`,
    notes: () => t('Notes: {value}', { value }),
    item: () => `${value} × ${name}`,
    photo: () => t('Photo: {name}', { name }),
    signature: () => t('Signature: {name}', { name }),
    delivery: () => t('Signature of {name}', { name }),
    message: () => t('Message: “{value}”', { value }),
    thread: () => t('New thread'),
    taken: () => t('{name}: yours counts', { name }),
    left: () => t('{name}: theirs stays', { name }),
    job: () => t('New job: {name}', { name }),
    on_shift: () => t('On shift'),
    off_shift: () => t('Off shift'),
  }
  return say[key]?.() ?? key
}
