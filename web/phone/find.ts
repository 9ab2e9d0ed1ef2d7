import type { Shown } from '../client/phone/phone.ts'
import { t } from '../ui/words.ts'
import { rowsOf } from './store.ts'

export interface Find {
  key: string
  kind: 'job' | 'asset' | 'customer'
  title: string
  about: string
  /** Its page; null where it has none. */
  to: string | null
  /** What it may be found by as a whole: numbers and codes. */
  codes: string[]
  words: string
}

const MOST = 50

/** What of this phone has all of these words, in any order and case. */
export function find(shown: Shown, text: string): Find[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return all(shown)
    .filter((one) => words.every((word) => one.words.includes(word)))
    .slice(0, MOST)
}

/** What has this code. Labels of ours hold an address that ends in the number: `https://…/jobs/48163`. */
export function withCode(shown: Shown, code: string): Find[] {
  const [, kind, id] = /\/(job|asset)s\/([^/?#]+)\/?$/.exec(code) ?? []
  return all(shown).filter((one) =>
    kind ? one.kind === kind && one.codes.includes(id ?? '') : one.codes.includes(code),
  )
}

function all(shown: Shown): Find[] {
  const jobs = rowsOf(shown, 'job')
  const made = [
    ...jobs.map((job) => ({
      kind: 'job' as const,
      key: `job/${job.id}`,
      title: [String(job.id), job.customer_name].join(' '),
      about: job.template_name ?? '',
      to: `/jobs/${job.id}`,
      codes: [String(job.id), job.third_party_id],
      more: [job.notes, job.contact?.location?.address1, job.contact?.location?.city],
    })),
    ...rowsOf(shown, 'asset').map((asset) => {
      const job = jobs.find(({ asset_ids }) => asset_ids.includes(asset.id))
      return {
        kind: 'asset' as const,
        key: `asset/${asset.id}`,
        title: asset.name,
        about: [asset.model, job && t('Job {id}', { id: job.id })].filter(Boolean).join(', '),
        to: job ? `/jobs/${job.id}` : null,
        codes: [String(asset.id), asset.third_party_id, asset.serial, asset.name],
        more: [asset.notes],
      }
    }),
    ...rowsOf(shown, 'customer').map((customer) => {
      const job = jobs.find(({ customer_id }) => customer_id === customer.id)
      return {
        kind: 'customer' as const,
        key: `customer/${customer.id}`,
        title: customer.name,
        about: job?.template_name ?? '',
        to: job ? `/jobs/${job.id}` : null,
        codes: [customer.third_party_id],
        more: [customer.notes],
      }
    }),
  ]
  return made.map(({ codes, more, ...one }) => {
    const whole = codes.filter((code) => code !== null)
    return { ...one, codes: whole, words: [one.title, one.about, ...whole, ...more].join(' ').toLocaleLowerCase() }
  })
}
