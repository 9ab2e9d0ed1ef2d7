import { type Call, scopeOf } from '#call'
import {
  type Draft,
  type FieldError,
  fieldError,
  type RawRow,
  type RecordType,
  type Row,
  validationError,
} from '#fields'
import { invalid, notFound, Problem } from '#problem'
import type { Conflict } from '#records/conflict'
import type { Job } from '#records/job'
import type { Event } from '#store/journal'
import type { Pairs, Scope, Store, Tx } from '#store/store'
import { actsAsWorker, isWorkerOnly, may } from './abilities.ts'
import type { AtomicBatch } from './atomic-batch.ts'
import { changesOf, LINKS } from './changes.ts'
import { recordCollisions } from './conflicts.ts'
import { errorCollector, nameItems, sortErrors } from './field-errors.ts'
import { firstAnswer, keepAnswer, type Once } from './idempotency.ts'
import { mergeBase } from './merge-base.ts'
import { mergeDraft } from './merge-draft.ts'
import { hashPassword } from './password.ts'
import type { Quotas } from './quotas.ts'
import { checkReferences, checkUnique } from './references.ts'
import type { Deferred, MutationContext, Rules, Warning } from './rule.ts'
import { withoutUnseen } from './visible-events.ts'
import { filterWorkerDraft, refuseUnreadable, renumberErrors } from './worker-draft.ts'

export type Action = Event['action']

/** What a caller wants done to one record. */
export interface Mutation<A, R extends RecordType = RecordType> {
  record: R
  action: Action
  /** Finds the record that is updated or deleted; of one that is restored, what the journal says that it was. */
  target?(tx: Tx): Promise<Row<R> | null>
  /** What the caller said; or what follows from the record that it is about, with what must be written before it. */
  draft: Draft<R> | Drafting<R>
  /** The draft is what was there before: the ids of its items are their own. */
  keepItemIds?: true
  /** It was made elsewhere, with what its template gave; what is over is not asked whether it may be. */
  imported?: true
  /** The route decided what changes: on a phone too, nothing of it is taken away. */
  bypassWorkerFilter?: true
  /** What was wrong with the draft already; told together with what the rules find. */
  errors: FieldError[]
  /** What the caller saw of a job's fields: only those that are still so are changed, and the others told as conflicts. */
  base?: RawRow | null
  /** Refuses when the record isn't as the caller last saw it. */
  precondition?(before: Row<R>, tx: Tx): Problem | null | Promise<Problem | null>
  /**
   * The answer, made inside the transaction, so that it can be kept with it. `event` is the line that the journal
   * got; null when nothing changed.
   */
  respond(row: Row<R>, warnings: Warning[], event: Event | null, tx: Tx, conflicts: Conflict[]): A | Promise<A>
  idempotency?: Once<A> | undefined
  /** Why, in the caller's words: kept with the event. */
  reason?: string | null
  /** The call that this one reverses. */
  reverses?: string
  /** Runs every rule, answers what would happen, and writes nothing. */
  dryRun?: boolean
}

/** `before` is empty where the record is made. */
export type Drafting<R extends RecordType> = (before: Row<R>, context: MutationContext) => Draft<R> | Promise<Draft<R>>

/** What writing takes beside the store and the rules; without quotas, an account may keep what it likes. */
export type Means = Pick<MutationContext, 'privateWebhooks' | 'roads'> & { quotas: Quotas | null }

/** The only way to write: idempotency, rules, record and journal in one transaction. */
export class Mutations {
  private readonly store: Store
  private readonly rules: Rules
  private readonly means: Pick<MutationContext, 'privateWebhooks' | 'roads'>
  private readonly quotas: Quotas | null
  private readonly batch: AtomicBatch | null

  /** With a `batch`, on a store whose writes are savepoints of its one transaction. */
  constructor(store: Store, rules: Rules, { quotas, ...means }: Means, batch: AtomicBatch | null = null) {
    this.store = store
    this.rules = rules
    this.means = means
    this.quotas = quotas
    this.batch = batch
  }

  /** @throws Problem not_found, invalid with all faults, conflict, precondition_failed */
  async execute<A, R extends RecordType>(call: Call, mutation: Mutation<A, R>): Promise<A> {
    const draft =
      typeof mutation.draft === 'function' ? mutation.draft : await hashSecrets(mutation.record, mutation.draft)
    const scope = scopeOf(call.actor)
    // Whoever may write all of these records refers to what there is, also where a phone shows them only their own of it.
    if (may(call.actor, mutation.record, 'write')) scope.ownOnly = new Set()
    if (this.batch) return this.performInBatch(call, scope, { ...mutation, draft }, this.batch)
    await this.quotas?.refresh(call.actor.account.id)
    try {
      const answer = await this.store.write(scope, async (tx) => {
        const made = await this.run(call, tx, { ...mutation, draft })
        if (mutation.dryRun) throw new DryRun(made)
        return made
      })
      this.store.database.notify(call.actor.account.id)
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
  onCommit(listener: (account: number, here: boolean) => void): () => void {
    return this.store.database.subscribe(listener)
  }

  /** The same in two parts, between which the other writes of the batch are applied. */
  private async performInBatch<A>(call: Call, scope: Scope, mutation: Mutation<A>, batch: AtomicBatch): Promise<A> {
    const applied = await this.store.write(scope, (tx) => this.apply(call, tx, mutation, []))
    await batch.applied('repeated' in applied ? null : applied.row.id)
    return this.store.write(scope, (tx) => this.conclude(call, tx, mutation, applied))
  }

  private async run<A>(call: Call, tx: Tx, mutation: Mutation<A>): Promise<A> {
    return this.conclude(call, tx, mutation, await this.apply(call, tx, mutation, null))
  }

  /** Up to the record, the journal, and what follows from them. */
  private async apply<A>(call: Call, tx: Tx, mutation: Mutation<A>, deferred: Deferred[] | null): Promise<Applied<A>> {
    const { idempotency } = mutation
    const repeated = idempotency && (await firstAnswer(call, tx, idempotency))
    if (repeated) return { repeated: repeated.answer }
    const written: Written = { warnings: [], events: [], conflicts: [], deferred }
    const row = await this.writeRow(this.createContext(call, tx, written, mutation), mutation, written.conflicts)
    return { row, written }
  }

  /** From there to the answer. */
  private async conclude<A>(call: Call, tx: Tx, mutation: Mutation<A>, applied: Applied<A>): Promise<A> {
    if ('repeated' in applied) return applied.repeated
    const { record, idempotency } = mutation
    const { written } = applied
    const context = this.createContext(call, tx, written, mutation)
    for (const { record, change } of written.deferred ?? []) await this.checkApplied(context, record, change)
    const changes = mutation.action === 'create' || mutation.action === 'update'
    // As it reads now: with what its references lead to, and what the rules added.
    const row = changes
      ? ((await tx.find(record, applied.row.id)) ?? (await this.readHidden(context, record, applied.row)))
      : applied.row
    // The first is its own; rules may have written others, and the record again.
    const event = written.events.find((event) => event.record === record.name && event.record_id === String(row.id))
    const answer = await mutation.respond(row, written.warnings, event ?? null, tx, written.conflicts)
    if (idempotency) await keepAnswer(call, tx, idempotency, answer)
    if (event && !mutation.dryRun) this.quotas?.note(call.actor.account.id, record, event.action)
    return answer
  }

  /** Asks of a record what its rule asks, as it is after the whole batch; of one that is gone again, nothing. */
  private async checkApplied(context: MutationContext, record: RecordType, change: Deferred['change']): Promise<void> {
    const row = await context.tx.asSystem('events are of the whole record').find(record, change.row.id)
    if (!row) return
    const errors: FieldError[] = []
    await this.rules[record.name]?.check?.(context, { ...change, row, addError: errorCollector(record, errors, []) })
    nameItems(record, errors, row)
    const reported = isWorkerOnly(context.call.actor, record) ? renumberErrors(record, row, errors) : errors
    if (reported.length > 0) throw invalid(sortErrors(record, reported))
  }

  private async writeRow<A>(context: MutationContext, mutation: Mutation<A>, conflicts: Conflict[]): Promise<RawRow> {
    const { record, action, draft, errors } = mutation
    const before = mutation.target ? await mutation.target(context.tx) : null
    if (action !== 'create' && !before) throw notFound()
    const stale = before && (await mutation.precondition?.(before, context.tx))
    if (stale) throw stale
    if (before && action === 'delete') return this.remove(context, record, before)
    if (before && action === 'restore') return this.restore(context, record, before)
    if (!before) this.quotas?.refuseRecord(context.call.actor, record)
    const said = typeof draft === 'function' ? await draft(before ?? {}, context) : draft
    const all = errors.map((error) => ({ ...error }))
    nameItems(record, all, said)
    const { actor } = context.call
    const own = before && actsAsWorker(actor, record) ? before : null
    if (own && !isWorkerOnly(actor, record) && !(await context.tx.mine(record).find(record, own.id)))
      throw new Problem('forbidden', 'You may see this, and change only what is your own')
    const filter = own ? filterWorkerDraft : refuseUnreadable
    const narrowed = mutation.bypassWorkerFilter ? said : filter(actor, record, before ?? {}, said, all)
    if (!before || !mutation.base) return this.save(context, record, before, narrowed, all)
    const { merged, collisions } = mergeBase(record.fields, before, narrowed, mutation.base)
    const row = await this.save(context, record, before, merged, all)
    conflicts.push(...(await recordCollisions(context, before as Job, collisions)))
    return row
  }

  private createContext(
    call: Call,
    tx: Tx,
    { warnings, events, deferred }: Written,
    {
      keepItemIds,
      imported,
      reason = null,
      reverses = null,
    }: Pick<Mutation<unknown>, 'keepItemIds' | 'imported' | 'reason'> & {
      reverses?: string | null
    },
  ): MutationContext {
    const context: MutationContext = {
      call,
      tx,
      keepItemIds: keepItemIds === true,
      imported: imported === true,
      reason,
      reverses,
      ...this.means,
      deferred,
      record: (name) => this.store.statements.record(name),
      create: (record, draft) => ofIts(record, this.save(context, record, null, draft, [])),
      warn: (warning) => void warnings.push(warning),
      recordEvent: (event) => void events.push(event),
      update: (record, before, draft) => ofIts(record, this.save(context, record, before, draft, [])),
      remove: (record, before) => ofIts(record, this.remove(context, record, before)),
    }
    return context
  }

  /** Answers the row as it was completed. */
  private async save(
    context: MutationContext,
    record: RecordType,
    before: RawRow | null,
    draft: RawRow,
    known: FieldError[],
  ): Promise<RawRow> {
    const { tx, call } = context
    const rule = this.rules[record.name]
    const errors = [...known]
    const row = await mergeDraft(context, record, before, draft, errors)
    nameItems(record, errors.slice(known.length), row)
    const reported = errors.length
    const change = { before, row, draft, addError: errorCollector(record, errors, known) }
    await rule?.prepare?.(context, change)
    await checkReferences(tx, record, change, errors)
    await checkUnique(tx, record, row, before, errors)
    if (!before && draft.id && (await tx.isIdTaken(record, draft.id)))
      errors.push(fieldError('id', validationError.taken()))
    if (context.deferred) context.deferred.push({ record, change })
    else await rule?.check?.(context, change)
    nameItems(record, errors.slice(reported), row)
    if (isWorkerOnly(call.actor, record))
      errors.splice(known.length, errors.length, ...renumberErrors(record, row, errors.slice(known.length)))
    if (errors.length > 0) throw invalid(sortErrors(record, errors))

    const changes = changesOf(record, row, before)
    if (!before || Object.keys(changes).length > 0) {
      row.revision = await tx.nextSeq()
      if (!before) await tx.insert(record, row)
      else {
        const { revision } = row
        const changed = Object.fromEntries(Object.keys(changes).map((name) => [name, row[name]]))
        await tx.update(record, before, { ...changed, updated_at: call.now, revision })
      }
      await this.journal(context, record, row, before ? 'update' : 'create', changes)
    }
    await rule?.after?.(context, change)
    return row
  }

  /** What its own change took out of the caller's sight, without the groups that they don't see. */
  private async readHidden(
    { tx, call, record: named }: MutationContext,
    record: RecordType,
    row: RawRow,
  ): Promise<RawRow> {
    return withoutUnseen(
      call,
      named,
      record,
      (await tx.asSystem('events are of the whole record').find(record, row.id)) ?? row,
    )
  }

  private async remove(context: MutationContext, record: RecordType, before: RawRow): Promise<RawRow> {
    const errors: FieldError[] = []
    const change = { before, row: null, draft: {}, addError: errorCollector(record, errors, []) }
    const rule = this.rules[record.name]
    await rule?.check?.(context, change)
    if (errors.length > 0) throw invalid(errors)
    // The journal keeps what there was, and not what this caller saw of it.
    const whole = (await context.tx.asSystem('events are of the whole record').find(record, before.id)) ?? before
    const stamp = { updated_at: context.call.now, revision: await context.tx.nextSeq() }
    const pairs = await context.tx.remove(record, before, stamp)
    await this.journal(context, record, { ...before, ...stamp }, 'delete', {
      ...changesOf(record, {}, whole),
      ...(Object.keys(pairs).length > 0 && { [LINKS]: [pairs, null] }),
    })
    await rule?.after?.(context, change)
    return before
  }

  /** The counterpart of a removal: what was there is checked as if it were made now, and is as it was. */
  private async restore(
    context: MutationContext,
    record: RecordType,
    { [LINKS]: links, ...was }: RawRow,
  ): Promise<RawRow> {
    const { tx, call } = context
    const errors: FieldError[] = []
    // Who was removed since has left its lists; what it points to itself must be there.
    const lists = Object.keys(was).filter((name) => record.fields[name]?.through)
    const alone = { ...was, ...Object.fromEntries(lists.map((name) => [name, []])) }
    await checkReferences(
      tx.asSystem('events are of the whole record'),
      record,
      { row: alone, before: null, draft: alone },
      errors,
    )
    await checkUnique(tx, record, was, null, errors)
    if (errors.length > 0) throw invalid(sortErrors(record, errors))
    const stamp = { updated_at: call.now, revision: await tx.nextSeq() }
    await tx.restore(record, was.id, (links ?? {}) as Pairs, stamp)
    const row = (await tx.asSystem('events are of the whole record').find(record, was.id)) ?? was
    const change = { before: null, row, draft: {}, addError: errorCollector(record, errors, []) }
    const rule = this.rules[record.name]
    await rule?.check?.(context, change)
    if (errors.length > 0) throw invalid(sortErrors(record, errors))
    await this.journal(context, record, row, 'restore', changesOf(record, row, null))
    await rule?.after?.(context, change)
    return row
  }

  private async journal(
    { call, tx, recordEvent, reason, reverses }: MutationContext,
    record: RecordType,
    { id, revision: seq }: RawRow,
    action: Action,
    changes: Event['changes'],
  ): Promise<void> {
    const { kind, id: actorId } = call.actor
    const event = {
      at: call.now,
      record: record.name,
      record_id: String(id),
      action,
      call_id: call.id,
      reason,
      reverses,
    }
    await tx.append({ ...event, seq, actor: kind, actor_id: actorId, changes: JSON.stringify(changes) })
    recordEvent({ ...event, id: seq, actor: { kind, id: actorId }, changes })
  }
}

/** A row that was made of a record's fields is one of its rows. */
const ofIts = <R extends RecordType>(_: R, row: Promise<RawRow>) => row as Promise<Row<R>>

/** What a write has brought about so far. */
interface Written {
  warnings: Warning[]
  events: Event[]
  conflicts: Conflict[]
  deferred: Deferred[] | null
}

type Applied<A> = { repeated: A } | { row: RawRow; written: Written }

class DryRun extends Error {
  readonly answer: unknown
  constructor(answer: unknown) {
    super('dry run')
    this.answer = answer
  }
}

async function hashSecrets(record: RecordType, draft: RawRow): Promise<RawRow> {
  const result = { ...draft }
  for (const [name, field] of Object.entries(record.fields))
    if (field.secret && typeof draft[name] === 'string') result[name] = await hashPassword(draft[name])
  return result
}
