import { type RawRow, Wrong, wrong } from '#fields'
import type { Change, Rule, Writing } from './rule.ts'

/** Seconds that a job is planned to take when nobody says. (records.md, 9) */
const DEFAULT_DURATION = 3600

export const job: Rule = {
  async prepare(writing, change) {
    const { row, draft, before } = change
    if (!before && row.template_id) await takeFromTemplate(writing, change)
    await findCustomer(writing, change)
    await findWorker(writing, change)
    row.planned_duration ??= DEFAULT_DURATION
    if ('steps' in draft || !before) stampCompletions(writing, row, before)
    derive(row)
    if (!before || Object.keys(draft).length > 0) row.last_action_at = writing.call.now
  },

  async check({ tx, record }, { before, row, draft, fault }) {
    if (!row) return
    if (row.steps.length === 0 && (!before || 'steps' in draft)) fault('steps', wrong.blank())
    const added = row.asset_ids.filter((id: number) => !before?.asset_ids.includes(id))
    for (const id of added) {
      const asset = await tx.find(record('asset'), id)
      if (asset && !asset.enabled)
        fault(
          'asset_ids',
          new Wrong('asset_disabled', `${id} (${asset.name}) is disabled`),
          `Enable ${asset.name}, or leave it out`,
        )
    }
  },
}

/** A job takes all from its template that it does not say itself. */
async function takeFromTemplate({ tx, record }: Writing, { row, draft }: Change & { row: RawRow }) {
  const template = await tx.find(record('template'), row.template_id)
  if (!template) return
  for (const name of [
    'planned_duration',
    'pricebook_id',
    'customer_id',
    'worker_id',
    'tag_ids',
    'group_ids',
    'steps',
    'custom_fields',
  ])
    if (!(name in draft) && template[name] !== null) row[name] = template[name]
  if (draft.customer_name) row.customer_id = null
  row.template_name ??= template.name
}

/** `customer_name` finds the oldest customer of that name, or makes one. */
async function findCustomer({ tx, record, create }: Writing, { row, draft, before, fault }: Change & { row: RawRow }) {
  const name = draft.customer_name?.trim()
  if (name && !draft.customer_id && name !== before?.customer_name) {
    const found = await tx.findBy(record('customer'), 'name', name)
    row.customer_id = (found ?? (await create('customer', { name, group_ids: row.group_ids }))).id
  }
  if (!row.customer_id) fault('customer_id', wrong.blank())
}

async function findWorker({ tx, record }: Writing, { row, draft, before, fault }: Change & { row: RawRow }) {
  const theirs = draft.worker_third_party_id
  if (!theirs || draft.worker_id || theirs === before?.worker_third_party_id) return
  const found = await tx.findBy(record('user'), 'third_party_id', theirs)
  if (found) row.worker_id = found.id
  else fault('worker_third_party_id', wrong.unknown(theirs))
}

function stampCompletions({ call }: Writing, row: RawRow, before: RawRow | null) {
  const known = new Map<number, RawRow>((before?.steps ?? []).map((step: RawRow) => [step.id, step]))
  for (const step of row.steps) {
    if (!step.completed_at) step.completed_by_user_id = null
    else if (!known.get(step.id)?.completed_at)
      step.completed_by_user_id = call.actor.kind === 'user' ? call.actor.id : null
  }
}

/** What follows from the worker, the publication and the steps; never written by a caller. */
export function derive(row: RawRow): void {
  row.state = !row.worker_id
    ? 'unallocated'
    : row.published_at && row.confirmation !== 'pending'
      ? 'assigned'
      : 'allocated'
  const done = row.steps
    .map((step: RawRow) => step.completed_at)
    .filter(Boolean)
    .sort()
  const all = done.length > 0 && done.length === row.steps.length
  row.progress_state = all ? 'completed' : done.length > 0 ? 'started' : 'not_started'
  row.actual_start_at = done[0] ?? null
  row.completed_at = all ? done.at(-1) : null
  row.actual_duration = all ? Math.round((Date.parse(done.at(-1)) - Date.parse(done[0])) / 1000) : null
}
