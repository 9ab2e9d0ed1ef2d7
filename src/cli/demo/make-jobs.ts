import { present, type RawRow } from '#fields'
import { eachInTurn, type Person } from './actors.ts'
import { DAY, HOUR, MINUTE } from './calendar.ts'
import { type Doing, doJob, type Order, placeOrder, type Report } from './deeds.ts'
import type { Picture } from './draw.ts'
import { drawAll } from './drawing.ts'
import type { Town } from './make-things.ts'
import { type Plan, planWeek } from './plan.ts'
import { pick, type Random, randomFrom } from './rows.ts'
import { notes, pricebooks, templates } from './work.ts'

/** Photos of one scene that are taken; jobs share them, and the bytes are kept once. */
const TAKES = 2

export interface MadeJobs {
  plans: Plan[]
  jobs: RawRow[]
  signature_id: string
  attachment_id: string
}

/** A week of jobs: done, under way, planned, and waiting for somebody. */
export async function makeJobs(town: Town): Promise<MadeJobs> {
  const plans = planWeek(town)
  const random = randomFrom(11)
  const orders = plans.map((plan, i) => orderOf(town, plan, i, random))
  const [ids, drawn] = await Promise.all([
    eachInTurn(orders, ({ dispatcher }) => dispatcher, placeOrder),
    drawPictures(plans),
  ])

  const sent = plans.flatMap((plan, i) => (orders[i]?.published_at ? [{ plan, i, id: present(ids[i]) }] : []))
  const declined = sent.findLast(({ plan }) => !plan.work)
  await eachInTurn(
    sent,
    ({ plan }) => plan.worker,
    (worker, order) => doJob(worker, order.id, doingOf(town, order, order === declined, drawn)),
  )
  const unwanted = plans.findLastIndex(({ worker, start }) => !worker && start)
  const cancellation = { cancel_reason: 'The customer has closed for the week' }
  await town.chief.ask('POST', `/jobs/${ids[unwanted]}/cancellation`, { cancellation })

  const { jobs } = await town.program('GET', '/jobs?per_page=1000')
  const reported = jobs.flatMap(({ custom_fields: fields }: RawRow) => ({
    signature_id: fields.find((field: RawRow) => field.signature_id)?.signature_id,
    attachment_id: fields.find((field: RawRow) => field.attachment_id)?.attachment_id,
  }))
  return { plans, jobs, ...reported.find((found: RawRow) => found.signature_id && found.attachment_id) }
}

/** What the office plans, and who does it. */
function orderOf(town: Town, plan: Plan, i: number, random: Random): Order & { dispatcher: Person } {
  const { calendar, people } = town
  const { customer, worker, start } = plan
  const { steps, pricebook } = templates[plan.template]
  // Each looks after two of the groups; the chief takes some of all.
  const [north, south] = [present(people.get('Oluwaseun Adeyemi')), present(people.get('Beatriz Carvalho'))]
  const isNorth = ['North Shore', 'West'].some((name) => customer.group_ids.includes(town.groups.get(name)?.id))
  const { location, ...contact } = customer.delivery_contact
  const kind = plan.template
  const asset = town.assets.find((asset) => asset.customer_id === customer.id && asset.kind === kind && asset.enabled)
  const isNear = worker && start && start < calendar.now + 1.5 * DAY
  return {
    dispatcher: i % 3 === 0 ? town.chief : isNorth ? north : south,
    worker,
    published_at: isNear && !plan.isDraft ? calendar.iso(Math.min(start - DAY, calendar.now - HOUR)) : null,
    draft: {
      third_party_id: `WO-${4001 + i}`,
      customer_id: customer.id,
      template_id: town.templates.get(plan.template)?.id,
      group_ids: customer.group_ids,
      planned_start_at: start && calendar.iso(start),
      asset_ids: asset ? [asset.id] : [],
      equipment_ids: plan.equipment.map(({ id }) => id),
      notes: random() < 0.3 ? pick(random, notes) : null,
      contact,
      steps: steps.map((name) => ({ name, location })),
      line_items: linesOf(pricebook, random),
      ...(plan.isUrgent && { priority: 'urgent' }),
      ...(plan.due && { due_by: calendar.at(...plan.due) }),
      ...(start &&
        i % 9 === 0 && { time_windows: [{ from: calendar.iso(start - HOUR), to: calendar.iso(start + 4 * HOUR) }] }),
    },
  }
}

function linesOf(name: keyof typeof pricebooks, random: Random): RawRow[] {
  const { items } = pricebooks[name]
  const codes = new Set([0, 4, 8].map((from) => from + Math.floor(random() * 8)))
  return [...codes].map((at) => {
    const [code, description, price] = items[at] ?? []
    return { code, description, quantity: String(1 + Math.floor(random() * 2)), price }
  })
}

/** What a worker does with a job. Not everything goes as planned: one waits for a part, one is declined, some not answered. */
function doingOf(town: Town, { plan, i }: { plan: Plan; i: number }, declines: boolean, drawn: Drawn): Doing {
  const { calendar } = town
  const { work, worker } = plan
  if (declines) return { confirmation: 'declined', decline_reason: 'No vehicle' }
  if (!work) return i % 4 === 3 ? {} : { confirmation: 'accepted' }
  const waits = !work.whole && worker?.name === 'Dmitri Sokolov'
  return {
    confirmation: 'accepted',
    completed: completionsOf(plan).map(calendar.iso),
    ...(waits && { paused_at: calendar.iso(calendar.now - 10 * MINUTE) }),
    ...(work.whole && { report: (job) => reportOf(town, plan, job, i, drawn) }),
  }
}

/** When the steps were completed, in milliseconds. */
function completionsOf({ work, template }: Plan): number[] {
  if (!work) return []
  const count = work.whole ? templates[template].steps.length : work.steps
  const each = (work.end - work.start) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, n) => work.start + Math.round(n * each))
}

/** What the phone says at the end. */
function reportOf({ calendar }: Town, plan: Plan, job: RawRow, i: number, drawn: Drawn): Report {
  const random = randomFrom(1000 + i)
  const { lat, lng } = plan.customer.delivery_contact.location
  const { start = 0, end = 0 } = plan.work ?? {}
  const computed: { [value: string]: string } = { at: calendar.iso(start + 20 * MINUTE), place: `${lat},${lng}` }
  const values = job.custom_fields.flatMap(({ id, name }: RawRow) => {
    const field = templates[plan.template].fields.find((one) => one.name === name)
    if (!field || !('values' in field)) return []
    const value = pick<string>(random, field.values)
    return [{ id, value: computed[value] ?? value }]
  })
  const { photo, signature } = picturesOf(plan, i)
  return {
    custom_fields: values,
    line_items: job.line_items.map(({ code, quantity }: RawRow) => ({ code, actual_quantity: quantity })),
    photo: drawn(photo),
    signature: drawn(signature),
    signedBy: contactOf(plan.customer),
    signedAt: calendar.iso(end),
  }
}

type Drawn = (picture: Picture) => Buffer

/** What is drawn for a job. */
const picturesOf = ({ customer, template }: Plan, i: number): { [name in 'signature' | 'photo']: Picture } => ({
  signature: { signature: contactOf(customer) },
  photo: { photo: template, take: i % TAKES },
})

/** Draws what the jobs that are done show, each picture once. */
async function drawPictures(plans: Plan[]): Promise<Drawn> {
  const all = plans.flatMap((plan, i) => (plan.work?.whole ? Object.values(picturesOf(plan, i)) : []))
  const wanted = new Map(all.map((picture) => [JSON.stringify(picture), picture]))
  const bytes = await drawAll([...wanted.values()])
  const drawn = new Map([...wanted.keys()].map((key, n) => [key, present(bytes[n])]))
  return (picture) => present(drawn.get(JSON.stringify(picture)))
}

const contactOf = ({ delivery_contact: { first_name, last_name } }: RawRow) => `${first_name} ${last_name}`
