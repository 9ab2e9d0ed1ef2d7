import type { RawRow, RecordType } from '#fields'
import { attachment, signature } from '#records/file'
import { job as jobRecord } from '#records/job'
import { DAY, HOUR, MINUTE } from './calendar.ts'
import type { Picture } from './draw.ts'
import { drawAll } from './drawing.ts'
import type { Town } from './make-things.ts'
import { type Plan, planWeek } from './plan.ts'
import { pick, type Random, randomFrom } from './rows.ts'
import { notes, pricebooks, templates } from './work.ts'

/** Photos of one scene that are taken; jobs share them, and the bytes are kept once. */
const TAKES = 2

export interface MadeJobs {
  jobs: RawRow[]
  signature_id: string
  attachment_id: string
}

/** A week of jobs: done, under way, planned, and waiting for somebody. */
export async function makeJobs(town: Town): Promise<MadeJobs> {
  const plans = planWeek(town)
  const random = randomFrom(11)
  const jobs = await Promise.all(plans.map((plan, i) => create(town, plan, i, random)))

  const done = plans.flatMap((plan, i) => (plan.work?.whole ? [i] : []))
  const wanted = done.map((i) => picturesOf(plans[i] as Plan, i))
  const fileOf = await keepFiles(
    town,
    wanted.flatMap(({ signature, photo }) => [signature, photo]),
  )
  const rows = (record: RecordType, name: 'signature' | 'photo') =>
    Promise.all(
      done.map((i, n) => {
        const { worker, work } = plans[i] as Plan
        const row = { job_id: jobs[i]?.id, ...fileOf(wanted[n]?.[name] as Picture) }
        return town.keep(record, row, { by: worker, at: work?.end })
      }),
    )
  const signatures = await rows(signature, 'signature')
  const photos = await rows(attachment, 'photo')

  const reported = plans.map((plan, i) => {
    const n = done.indexOf(i)
    const files = { signature_id: signatures[n]?.id, attachment_id: photos[n]?.id }
    const row = jobs[i] as RawRow
    if (!plan.work) return row
    const server = { ...stepsOf(town, plan, row), ...(plan.work.whole && reportOf(town, plan, row, files, i)) }
    return town.keep(jobRecord, {}, { server, before: row, by: plan.worker, at: plan.work.end })
  })
  const kept = await Promise.all(reported)
  return { jobs: await twist(town, kept), signature_id: signatures[0]?.id, attachment_id: photos[0]?.id }
}

/** Not everything goes as planned: one job waits for a part, one is declined, one is called off. */
async function twist({ keep, calendar, users }: Town, jobs: RawRow[]): Promise<RawRow[]> {
  const result = [...jobs]
  const change = async (i: number, draft: RawRow) => {
    const before = jobs[i]
    const by = [...users.values()].find(({ id }) => id === before?.worker_id) ?? users.get('Mereana Tautahi')
    if (before) result[i] = await keep(jobRecord, draft, { before, by })
  }
  const paused = users.get('Dmitri Sokolov')?.id
  await change(
    jobs.findIndex(({ worker_id, progress_state }) => worker_id === paused && progress_state === 'started'),
    { paused_at: calendar.iso(calendar.now - 10 * MINUTE) },
  )
  await change(
    jobs.findLastIndex(({ state, progress_state }) => state === 'assigned' && progress_state === 'not_started'),
    { confirmation: 'declined', decline_reason: 'No vehicle' },
  )
  await change(
    jobs.findIndex(({ state, planned_start_at }) => state === 'unallocated' && planned_start_at),
    { canceled_at: calendar.iso(calendar.now), cancel_reason: 'The customer has closed for the week' },
  )
  return result
}

/** What the office says. */
function create(town: Town, plan: Plan, i: number, random: Random): Promise<RawRow> {
  const { calendar, users } = town
  const { customer, worker, start } = plan
  const { steps, pricebook } = templates[plan.template]
  const dispatcher = users.get(i % 3 === 0 ? 'Mereana Tautahi' : i % 3 === 1 ? 'Oluwaseun Adeyemi' : 'Beatriz Carvalho')
  const { location, ...contact } = customer.delivery_contact
  const at = Math.min((start ?? calendar.now) - (2 + random() * 3) * DAY, calendar.now - HOUR)
  const published = worker && start && start < calendar.now + 1.5 * DAY
  const kind = plan.template
  const asset = town.assets.find((asset) => asset.customer_id === customer.id && asset.kind === kind && asset.enabled)
  const draft = {
    third_party_id: `WO-${4001 + i}`,
    customer_id: customer.id,
    template_id: town.templates.get(plan.template)?.id,
    group_ids: customer.group_ids,
    worker_id: worker?.id ?? null,
    planned_start_at: start && calendar.iso(start),
    published_at: published ? calendar.iso(Math.min(start - DAY, calendar.now - HOUR)) : null,
    asset_ids: asset ? [asset.id] : [],
    equipment_ids: plan.equipment.map(({ id }) => id),
    notes: random() < 0.3 ? pick(random, notes) : null,
    contact,
    steps: steps.map((name) => ({ name, location })),
    line_items: linesOf(pricebook, random),
    ...(start &&
      i % 9 === 0 && { time_windows: [{ from: calendar.iso(start - HOUR), to: calendar.iso(start + 4 * HOUR) }] }),
  }
  return town.keep(jobRecord, draft, { by: dispatcher, at })
}

function linesOf(name: keyof typeof pricebooks, random: Random): RawRow[] {
  const { items } = pricebooks[name]
  const codes = new Set([0, 4, 8].map((from) => from + Math.floor(random() * 8)))
  return [...codes].map((at) => {
    const [code, description, price] = items[at] ?? []
    return { code, description, quantity: String(1 + Math.floor(random() * 2)), price }
  })
}

/** What is drawn for a job. */
const picturesOf = ({ customer, template }: Plan, i: number): { [name in 'signature' | 'photo']: Picture } => ({
  signature: { signature: contactOf(customer) },
  photo: { photo: template, take: i % TAKES },
})

/** Draws each picture once, and puts its bytes down before any row names them. */
async function keepFiles({ app }: Town, pictures: Picture[]): Promise<(picture: Picture) => File | undefined> {
  const wanted = [...new Map(pictures.map((picture) => [JSON.stringify(picture), picture]))]
  const drawn = await drawAll(wanted.map(([, picture]) => picture))
  const files = await Promise.all(
    drawn.map(async (bytes) => ({ sha256: await app.blobs.put(bytes), size: bytes.length })),
  )
  const kept = new Map(wanted.map(([key], i) => [key, files[i]]))
  return (picture) => kept.get(JSON.stringify(picture))
}

interface File {
  sha256: string
  size: number
}

/** What the worker's phone says while the work goes on. */
function stepsOf({ calendar }: Town, { work }: Plan, row: RawRow): RawRow {
  if (!work) return {}
  const count = work.whole ? row.steps.length : work.steps
  const each = (work.end - work.start) / Math.max(1, count - 1)
  const at = (n: number) => (n < count ? calendar.iso(work.start + Math.round(n * each)) : null)
  return { steps: row.steps.map((step: RawRow, n: number) => ({ ...step, completed_at: at(n) })) }
}

/** What it says at the end. Photos and signatures come in by routes of their own, so their ids are the server's. */
function reportOf({ calendar }: Town, plan: Plan, row: RawRow, files: RawRow, i: number): RawRow {
  const random = randomFrom(1000 + i)
  const { lat, lng } = plan.customer.delivery_contact.location
  const { start = 0, end = 0 } = plan.work ?? {}
  const computed: { [value: string]: string } = { at: calendar.iso(start + 20 * MINUTE), place: `${lat},${lng}` }
  const filled = (item: RawRow): RawRow => {
    const field = templates[plan.template].fields.find(({ name }) => name === item.name)
    const value = field && 'values' in field ? pick<string>(random, field.values) : item.value
    return {
      ...item,
      value: computed[value] ?? value,
      ...(item.type === 'image' && { attachment_id: files.attachment_id }),
      ...(item.type === 'signature' && { signature_id: files.signature_id }),
    }
  }
  return {
    custom_fields: row.custom_fields.map(filled),
    line_items: row.line_items.map((item: RawRow) => ({ ...item, actual_quantity: item.quantity })),
    proof_of_delivery: {
      name: contactOf(plan.customer),
      signed_at: calendar.iso(end),
      signature_id: files.signature_id,
    },
  }
}

const contactOf = ({ delivery_contact: { first_name, last_name } }: RawRow) => `${first_name} ${last_name}`
