import { type Call, scopeOf } from '#call'
import { type Fault, type Field, faultAt, type RawRow, type RecordType, wrong } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import type { Event } from '#store/journal'
import type { Pairs, Store, Tx } from '#store/store'
import { asWorker, may, onPhone } from './abilities.ts'
import { complete } from './complete.ts'
import { faulter, inOrder, nameItems } from './faults.ts'
import { sealPassword } from './password.ts'
import { countedOnPhone, phoneDraft } from './phone.ts'
import type { Change, Rules, Warning, Writing } from './rule.ts'
import { same } from './same.ts'

export type Action = Event['action']

/** What a caller wants done to one record. */
export interface Write<A> {
  record: RecordType
  action: Action
  /** Finds the record that is updated or deleted; of one that is restored, what the journal says that it was. */
  target?: (tx: Tx) => Promise<RawRow | null>
  /** What the caller said; or what follows from the record that it is about, with what must be written before it. */
  draft: RawRow | ((before: RawRow, writing: Writing) => RawRow | Promise<RawRow>)
  /** The draft is what was there before: the ids of its items are their own. */
  again?: true
  /** It was made elsewhere, with what its template gave; what is over is not asked whether it may be. */
  imported?: true
  /** The route decided what changes: on a phone too, nothing of it is taken away. */
  decided?: true
  /** What was wrong with the draft already; told together with what the rules find. */
  faults: Fault[]
  /** Refuses when the record isn't as the caller last saw it. */
  unless?: (before: RawRow) => Problem | null
  /**
   * The answer, made inside the transaction, so that it can be kept with it. `event` is the line that the journal
   * got; null when nothing changed.
   */
  answer: (row: RawRow, warnings: Warning[], event: Event | null, tx: Tx) => A | Promise<A>
  /** Repeats get the first answer. `fingerprint` tells another request under the same key. */
  once?: { key: string; fingerprint: string; keep: (answer: A) => RawRow; again: (kept: RawRow) => A } | undefined
  /** Runs every rule, answers what would happen, and writes nothing. */
  dryRun?: boolean
}

/** Answers to an Idempotency-Key are kept this long. */
export const REMEMBERED_MS = 24 * 3600_000

/** Among the changes of a delete: the pairs that others had with the record. No field is called so. */
export const LINKS = '_links'

/** The only way to write: idempotency, rules, record and journal in one transaction. */
export class Act {
  private readonly store: Store
  private readonly rules: Rules

  constructor(store: Store, rules: Rules) {
    this.store = store
    this.rules = rules
  }

  /** @throws Problem not_found, invalid with all faults, conflict, precondition_failed */
  async perform<A>(call: Call, write: Write<A>): Promise<A> {
    const draft = typeof write.draft === 'function' ? write.draft : await sealed(write.record, write.draft)
    const scope = scopeOf(call.actor)
    // Whoever may write all of these records refers to what there is, also where a phone shows him only his own of it.
    if (may(call.actor, write.record, 'write')) scope.own = new Set()
    try {
      const answer = await this.store.write(scope, async (tx) => {
        const made = await this.inside(call, tx, { ...write, draft })
        if (write.dryRun) throw new DryRun(made)
        return made
      })
      this.store.database.ring(call.actor.account.id)
      return answer
    } catch (error) {
      if (error instanceof DryRun) return error.answer as A
      throw error
    }
  }

  /**
   * Calls back after each commit with its account, and whether it was one of this process or of another on the same
   * database; answers how to stop. Only a hint that a journal has grown: what has happened is read from there.
   */
  onCommit(heard: (account: number, here: boolean) => void): () => void {
    return this.store.database.onRing(heard)
  }

  private async inside<A>(call: Call, tx: Tx, write: Write<A>): Promise<A> {
    const { once } = write
    if (once) {
      const kept = await tx.remembered(once.key, new Date(Date.parse(call.now) - REMEMBERED_MS).toISOString())
      if (kept && kept.fingerprint !== once.fingerprint)
        throw new Problem('conflict', 'Idempotency-Key has been used with another request')
      if (kept) return once.again(kept)
    }
    const warnings: Warning[] = []
    const events: Event[] = []
    const writing = this.writing(call, tx, warnings, events, write)
    const row = await this.row(writing, write)
    // The first is its own; rules may have written others, and the record again.
    const event = events.find(({ record, record_id }) => record === write.record.name && record_id === String(row.id))
    const answer = await write.answer(row, warnings, event ?? null, tx)
    if (once)
      await tx.remember({ key: once.key, fingerprint: once.fingerprint, created_at: call.now, ...once.keep(answer) })
    return answer
  }

  private async row<A>(writing: Writing, write: Write<A>): Promise<RawRow> {
    const { record, action, draft, faults } = write
    const before = write.target ? await write.target(writing.tx) : null
    if (action !== 'create' && !before) throw notFound()
    const stale = before && write.unless?.(before)
    if (stale) throw stale
    if (before && action === 'delete') return this.remove(writing, record, before)
    if (before && action === 'restore') return this.restore(writing, record, before)
    const said = typeof draft === 'function' ? await draft(before ?? {}, writing) : draft
    const all = faults.map((fault) => ({ ...fault }))
    nameItems(record, all, said)
    const { actor } = writing.call
    if (!before || !asWorker(actor, record)) return this.save(writing, record, before, said, all)
    if (!onPhone(actor, record) && !(await writing.tx.mine(record).find(record, before.id)))
      throw new Problem('forbidden', 'You may see this, and change only what is your own')
    const narrowed = write.decided ? said : phoneDraft(actor, record, before, said, all)
    return this.save(writing, record, before, narrowed, all)
  }

  private writing(
    call: Call,
    tx: Tx,
    warnings: Warning[],
    events: Event[],
    { again, imported }: Pick<Write<unknown>, 'again' | 'imported'>,
  ): Writing {
    const writing: Writing = {
      call,
      tx,
      again: again === true,
      imported: imported === true,
      record: (name) => this.store.statements.record(name),
      create: (name, draft) => this.save(writing, writing.record(name), null, draft, []),
      warn: (warning) => void warnings.push(warning),
      noted: (event) => void events.push(event),
      update: (name, before, draft) => this.save(writing, writing.record(name), before, draft, []),
      remove: (name, before) => this.remove(writing, writing.record(name), before),
    }
    return writing
  }

  private async save(
    writing: Writing,
    record: RecordType,
    before: RawRow | null,
    draft: RawRow,
    known: Fault[],
  ): Promise<RawRow> {
    const { tx, call } = writing
    const rule = this.rules[record.name]
    const faults = [...known]
    const row = await complete(writing, record, before, draft, faults)
    nameItems(record, faults.slice(known.length), row)
    const told = faults.length
    const change = { before, row, draft, fault: faulter(record, faults, known) }
    await rule?.prepare?.(writing, change)
    await checkReferences(tx, record, change, faults)
    await checkUnique(tx, record, row, before, faults)
    await rule?.check?.(writing, change)
    nameItems(record, faults.slice(told), row)
    if (onPhone(call.actor, record))
      faults.splice(known.length, faults.length, ...countedOnPhone(record, row, faults.slice(known.length)))
    if (faults.length > 0) throw invalid(inOrder(record, faults))

    const changes = changesOf(record, row, before)
    if (before && Object.keys(changes).length > 0) {
      row.updated_at = call.now
      await tx.update(
        record,
        before,
        Object.fromEntries([...Object.keys(changes), 'updated_at'].map((name) => [name, row[name]])),
      )
    }
    if (!before) await tx.insert(record, row)
    if (!before || Object.keys(changes).length > 0)
      await this.journal(writing, record, row.id, before ? 'update' : 'create', changes)
    await rule?.after?.(writing, change)
    // As it reads now: with what its references lead to, and what the rules added.
    return (await tx.find(record, row.id)) ?? this.outOfSight(writing, record, row)
  }

  /** What its own change took out of the caller's sight, without the groups that he doesn't see. */
  private async outOfSight({ tx, call, record: named }: Writing, record: RecordType, row: RawRow): Promise<RawRow> {
    const { groups } = call.actor
    const found = { ...((await tx.unlimited().find(record, row.id)) ?? row) }
    for (const [name, { target, through }] of Object.entries(record.fields))
      if (groups && through && target && named(target).visible === 'own')
        found[name] = found[name].filter((id: number) => groups.includes(id))
    return found
  }

  private async remove(writing: Writing, record: RecordType, before: RawRow): Promise<RawRow> {
    const faults: Fault[] = []
    const change = { before, row: null, draft: {}, fault: faulter(record, faults, []) }
    const rule = this.rules[record.name]
    await rule?.check?.(writing, change)
    if (faults.length > 0) throw invalid(faults)
    // The journal keeps what there was, and not what this caller saw of it.
    const whole = (await writing.tx.unlimited().find(record, before.id)) ?? before
    const pairs = await writing.tx.remove(record, before, writing.call.now)
    await this.journal(writing, record, before.id, 'delete', {
      ...changesOf(record, {}, whole),
      ...(Object.keys(pairs).length > 0 && { [LINKS]: [pairs, null] }),
    })
    await rule?.after?.(writing, change)
    return before
  }

  /** The counterpart of a removal: what was there is checked as if it were made now, and is as it was. */
  private async restore(writing: Writing, record: RecordType, { [LINKS]: links, ...was }: RawRow): Promise<RawRow> {
    const { tx, call } = writing
    const faults: Fault[] = []
    // Who was removed since has left its lists; what it points to itself must be there.
    const lists = Object.keys(was).filter((name) => record.fields[name]?.through)
    const alone = { ...was, ...Object.fromEntries(lists.map((name) => [name, []])) }
    await checkReferences(tx.unlimited(), record, { row: alone, before: null, draft: alone }, faults)
    await checkUnique(tx, record, was, null, faults)
    if (faults.length > 0) throw invalid(inOrder(record, faults))
    await tx.restore(record, was.id, (links ?? {}) as Pairs, call.now)
    const row = (await tx.unlimited().find(record, was.id)) ?? was
    const change = { before: null, row, draft: {}, fault: faulter(record, faults, []) }
    const rule = this.rules[record.name]
    await rule?.check?.(writing, change)
    if (faults.length > 0) throw invalid(inOrder(record, faults))
    await this.journal(writing, record, row.id, 'restore', changesOf(record, row, null))
    await rule?.after?.(writing, change)
    return row
  }

  private async journal(
    { call, tx, noted }: Writing,
    record: RecordType,
    id: unknown,
    action: Action,
    changes: Event['changes'],
  ): Promise<void> {
    const { kind, id: actorId } = call.actor
    const event = { at: call.now, record: record.name, record_id: String(id), action, call_id: call.id }
    const seq = await tx.append({ ...event, actor: kind, actor_id: actorId, changes: JSON.stringify(changes) })
    noted({ ...event, id: seq, actor: { kind, id: actorId }, changes })
  }
}

class DryRun extends Error {
  readonly answer: unknown
  constructor(answer: unknown) {
    super('dry run')
    this.answer = answer
  }
}

/** Ids that are new in this change must be of records that the caller sees; those that a rule found must be there. */
async function checkReferences(
  tx: Tx,
  record: RecordType,
  { row, before, draft }: Pick<Change, 'before' | 'draft'> & { row: RawRow },
  faults: Fault[],
) {
  for (const [name, field] of Object.entries(record.fields)) {
    if (!field.target || field.shape === 'records' || field.lookup || field.auto) continue
    const known = new Set(idsOf(field, before?.[name]))
    const added = idsOf(field, row[name]).filter((id) => !known.has(id))
    // An author whom the server noted, or a customer of that name, may be one whom the caller doesn't see.
    const said = !field.server && idsOf(field, draft[name]).length > 0
    for (const id of await (said ? tx : tx.unlimited()).missing(field.target, added))
      faults.push(faultAt(name, wrong.unknown(id)))
  }
}

function idsOf(field: Field<unknown>, value: unknown): (number | string)[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) return [value as number | string]
  // An item that names nothing was told of already.
  return field.shape === 'links' ? value.flatMap((item) => item.id ?? []) : value
}

async function checkUnique(tx: Tx, record: RecordType, row: RawRow, before: RawRow | null, faults: Fault[]) {
  for (const [name, field] of Object.entries(record.fields)) {
    const value = row[name]
    if (!field.unique || value === null || value === undefined || value === before?.[name]) continue
    const other = await tx.unlimited().findBy(record, name, field.save(value))
    if (other && other.id !== row.id) faults.push(faultAt(name, wrong.taken()))
  }
}

/** Which fields become what they were not; secrets only as changed. */
function changesOf(record: RecordType, row: RawRow, before: RawRow | null): Event['changes'] {
  const changes: Event['changes'] = {}
  for (const [name, field] of Object.entries(record.fields)) {
    if (field.lookup || field.virtual || field.auto === 'updated' || name === 'deleted_at') continue
    const [from, to] = [before?.[name] ?? null, row[name] ?? null]
    if (same(from, to)) continue
    changes[name] = field.secret || (field.internal && typeof to === 'string') ? ['[hidden]', '[hidden]'] : [from, to]
  }
  return changes
}

async function sealed(record: RecordType, draft: RawRow): Promise<RawRow> {
  const result = { ...draft }
  for (const [name, field] of Object.entries(record.fields))
    if (field.secret && typeof draft[name] === 'string') result[name] = await sealPassword(draft[name])
  return result
}
