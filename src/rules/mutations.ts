import { type Call, scopeOf } from '#call'
import type { RawRow, RecordType } from '#fields'
import { notFound, Problem } from '#problem'
import type { Conflict } from '#records/conflict'
import type { Scope, Store, Tx } from '#store/store'
import { actsAsWorker, isWorkerOnly, may } from './abilities.ts'
import type { AtomicBatch } from './atomic-batch.ts'
import { recordCollisions } from './conflicts.ts'
import { nameItems } from './field-errors.ts'
import { firstAnswer, keepAnswer } from './idempotency.ts'
import { mergeBase } from './merge-base.ts'
import type { Answered, Mutation, Outcome } from './mutation.ts'
import { hashPassword } from './password.ts'
import type { Quotas } from './quotas.ts'
import { RowWriter, type Surroundings, type Written } from './row-writer.ts'
import type { Deferred, Rules } from './rule.ts'
import { filterWorkerDraft, refuseUnreadable } from './worker-draft.ts'

/** What writing takes beside the store and the rules; without quotas, an account may keep what it likes. */
export type Means = Omit<Surroundings, 'record'> & { quotas: Quotas | null }

/** The only way to write: idempotency, rules, record and journal in one transaction. */
export class Mutations {
  private readonly store: Store
  private readonly rules: Rules
  private readonly surroundings: Surroundings
  private readonly quotas: Quotas | null
  private readonly batch: AtomicBatch | null

  /** With a `batch`, on a store whose writes are savepoints of its one transaction. */
  constructor(store: Store, rules: Rules, { quotas, ...means }: Means, batch: AtomicBatch | null = null) {
    this.store = store
    this.rules = rules
    this.surroundings = { ...means, record: (name) => store.statements.record(name) }
    this.quotas = quotas
    this.batch = batch
  }

  /**
   * Resolves when it is durable.
   * @throws Problem not_found, invalid with all faults, conflict, precondition_failed
   */
  execute<R extends RecordType>(call: Call, mutation: Mutation<R>): Promise<Outcome<R>> {
    return this.answer(call, { ...mutation, respond: (outcome) => outcome })
  }

  /** The same, and tells the caller. @throws Problem conflict (409) also when another request has used the key */
  answer<A, R extends RecordType>(call: Call, mutation: Answered<A, R>): Promise<A>
  async answer<A>(call: Call, mutation: Answered<A>): Promise<A> {
    const { record, draft } = mutation
    const scope = scopeOf(call.actor)
    // Whoever may write all of these records refers to what there is, also where a phone shows them only their own of it.
    if (may(call.actor, record, 'write')) scope.ownOnly = new Set()
    const hashed = typeof draft === 'function' ? mutation : { ...mutation, draft: await hashSecrets(record, draft) }
    const done = await (this.batch ? this.runInBatch(call, scope, hashed, this.batch) : this.run(call, scope, hashed))
    return 'answer' in done ? done.answer : mutation.respond(done)
  }

  /**
   * Calls back after each commit with its account, and whether it was one of this process or of another on the same
   * database; answers how to stop. Only a hint that a journal has grown: what has happened is read from there.
   */
  onCommit(listener: (account: number, here: boolean) => void): () => void {
    return this.store.database.subscribe(listener)
  }

  private async run<A>(call: Call, scope: Scope, mutation: Answered<A>): Promise<Done<A>> {
    const account = call.actor.account.id
    await this.quotas?.refresh(account)
    try {
      const done = await this.store.write(scope, async (tx) => {
        const made = await this.conclude(call, tx, mutation, await this.apply(call, tx, mutation, null))
        if (mutation.dryRun) throw new DryRun(made)
        return made
      })
      this.store.database.notify(account)
      return done
    } catch (error) {
      if (error instanceof DryRun) return error.done
      throw error
    }
  }

  /** The same in two parts, between which the other writes of the batch are applied. */
  private async runInBatch<A>(call: Call, scope: Scope, mutation: Answered<A>, batch: AtomicBatch): Promise<Done<A>> {
    const applied = await this.store.write(scope, (tx) => this.apply(call, tx, mutation, []))
    await batch.applied('answer' in applied ? null : applied.row.id)
    return this.store.write(scope, (tx) => this.conclude(call, tx, mutation, applied))
  }

  /** Up to the record, the journal, and what follows from them. */
  private async apply<A>(
    call: Call,
    tx: Tx,
    mutation: Answered<A>,
    deferred: Deferred[] | null,
  ): Promise<{ answer: A } | Applied> {
    const repeated = mutation.once && (await firstAnswer(call, tx, mutation.once))
    if (repeated) return repeated
    const written: Written = { warnings: [], events: [], deferred }
    const writer = new RowWriter(call, tx, this.rules, this.surroundings, written, mutation)
    const conflicts: Conflict[] = []
    return { row: await this.writeRow(writer, mutation, conflicts), written, conflicts }
  }

  /** From there to what it came to, or to the answer that is kept of it. */
  private async conclude<A>(
    call: Call,
    tx: Tx,
    mutation: Answered<A>,
    applied: { answer: A } | Applied,
  ): Promise<Done<A>> {
    if ('answer' in applied) return applied
    const { record, action, once, dryRun } = mutation
    const { written, conflicts } = applied
    const writer = new RowWriter(call, tx, this.rules, this.surroundings, written, mutation)
    for (const check of written.deferred ?? []) await writer.checkDeferred(check)
    const row = action === 'create' || action === 'update' ? await writer.read(record, applied.row) : applied.row
    // The first is its own; rules may have written others, and the record again.
    const event =
      written.events.find((event) => event.record === record.name && event.record_id === String(row.id)) ?? null
    const outcome: Outcome = { row, warnings: written.warnings, event, conflicts }
    await mutation.alsoWrite?.(row, tx)
    if (event && !dryRun) this.quotas?.note(call.actor.account.id, record, event.action)
    if (!once) return outcome
    const answer = mutation.respond(outcome)
    await keepAnswer(call, tx, once, answer)
    return { answer }
  }

  private async writeRow(writer: RowWriter, mutation: Mutation, conflicts: Conflict[]): Promise<RawRow> {
    const { context } = writer
    const { record, action, draft, errors = [] } = mutation
    const before = mutation.target ? await mutation.target(context.tx) : null
    if (action !== 'create' && !before) throw notFound()
    const stale = before && (await mutation.precondition?.(before, context.tx))
    if (stale) throw stale
    if (before && action === 'delete') return writer.remove(record, before)
    if (before && action === 'restore') return writer.restore(record, before)
    if (!before) this.quotas?.refuseRecord(context.call.actor, record)
    const said = typeof draft === 'function' ? await draft(before ?? {}, context) : draft
    const all = errors.map((error) => ({ ...error }))
    nameItems(record, all, said)
    const { actor } = context.call
    const own = before && actsAsWorker(actor, record) ? before : null
    if (own && !isWorkerOnly(actor, record) && !(await context.tx.mine(record).find(record, own.id)))
      throw new Problem('forbidden', 'You may see this, but change only what is your own')
    const filter = own ? filterWorkerDraft : refuseUnreadable
    const narrowed = mutation.bypassWorkerFilter ? said : filter(actor, record, before ?? {}, said, all)
    if (!before || !mutation.base) return writer.save(record, before, narrowed, all)
    const { merged, collisions } = mergeBase(record.fields, before, narrowed, mutation.base)
    const row = await writer.save(record, before, merged, all)
    conflicts.push(...(await recordCollisions(context, before.id, collisions)))
    return row
  }
}

/** What a mutation came to so far. */
interface Applied {
  row: RawRow
  written: Written
  conflicts: Conflict[]
}

/** What it came to, or the answer that is kept of it. */
type Done<A> = { answer: A } | Outcome

class DryRun<A> extends Error {
  readonly done: Done<A>
  constructor(done: Done<A>) {
    super('dry run')
    this.done = done
  }
}

async function hashSecrets(record: RecordType, draft: RawRow): Promise<RawRow> {
  const result = { ...draft }
  for (const [name, field] of Object.entries(record.fields))
    if (field.secret && typeof draft[name] === 'string') result[name] = await hashPassword(draft[name])
  return result
}
