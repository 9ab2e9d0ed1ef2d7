import type { Call } from '#call'
import {
  type Draft,
  type FieldError,
  fieldError,
  type RawRow,
  type RecordType,
  type Row,
  validationError,
} from '#fields'
import { invalid } from '#problem'
import type { Event } from '#store/journal'
import type { Pairs, Tx } from '#store/store'
import { isWorkerOnly } from './abilities.ts'
import { changesOf, LINKS } from './changes.ts'
import { errorCollector, nameItems, sortErrors } from './field-errors.ts'
import { mergeDraft } from './merge-draft.ts'
import type { Action, Mutation } from './mutation.ts'
import { checkReferences, checkUnique } from './references.ts'
import type { Change, Deferred, MutationContext, Rule, Rules, Warning } from './rule.ts'
import { withoutUnseen } from './visible-events.ts'
import { renumberErrors } from './worker-draft.ts'

/** What rules are given beside the transaction. */
export type Surroundings = Pick<MutationContext, 'privateWebhooks' | 'roads' | 'record'>

/** What a mutation has brought about so far. */
export interface Written {
  warnings: Warning[]
  events: Event[]
  /** In an atomic batch, the checks that wait for the rest of it. */
  deferred: Deferred[] | null
}

/**
 * Writes the row of a mutation, and those that rules write in turn: each with the hooks of its rule, a revision, and a
 * line of the journal.
 */
export class RowWriter {
  readonly context: MutationContext
  private readonly rules: Rules

  constructor(
    call: Call,
    tx: Tx,
    rules: Rules,
    surroundings: Surroundings,
    { warnings, events, deferred }: Written,
    {
      keepItemIds,
      imported,
      reason = null,
      reverses = null,
    }: Pick<Mutation, 'keepItemIds' | 'imported' | 'reason' | 'reverses'>,
  ) {
    this.rules = rules
    this.context = {
      call,
      tx,
      keepItemIds: keepItemIds === true,
      imported: imported === true,
      reason,
      reverses,
      ...surroundings,
      deferred,
      create: (record, draft) => this.save(record, null, draft, []),
      update: (record, before, draft) => this.save(record, before, draft, []),
      remove: (record, before) => this.remove(record, before),
      warn: (warning) => void warnings.push(warning),
      recordEvent: (event) => void events.push(event),
    }
  }

  /** Makes a row, or changes the one before; answers it as it was completed. @throws Problem invalid (422) with all faults */
  save<R extends RecordType>(record: R, before: Row<R> | null, draft: Draft<R>, known: FieldError[]): Promise<Row<R>>
  async save(record: RecordType, before: RawRow | null, draft: RawRow, known: FieldError[]): Promise<RawRow> {
    const { tx, call, deferred } = this.context
    const rule = this.ruleOf(record)
    const errors = [...known]
    const row = await mergeDraft(this.context, record, before, draft, errors)
    nameItems(record, errors.slice(known.length), row)
    const reported = errors.length
    const change = { before, row, draft, addError: errorCollector(record, errors, known) }
    await rule?.prepare?.(this.context, change)
    await checkReferences(tx, record, change, errors)
    await checkUnique(tx, record, row, before, errors)
    if (!before && draft.id && (await tx.isIdTaken(record, draft.id)))
      errors.push(fieldError('id', validationError.taken()))
    if (deferred) deferred.push({ record, change })
    else await rule?.check?.(this.context, change)
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
      await this.journal(record, row, before ? 'update' : 'create', changes)
    }
    await rule?.after?.(this.context, change)
    return row
  }

  /** Takes a row out of every read; answers what it was. @throws Problem invalid (422) with what stands in the way */
  remove<R extends RecordType>(record: R, before: Row<R>): Promise<Row<R>>
  async remove(record: RecordType, before: RawRow): Promise<RawRow> {
    const { tx, call } = this.context
    const change = await this.check(record, { before, row: null })
    // The journal keeps what there was, and not what this caller saw of it.
    const whole = (await this.findWhole(record, before.id)) ?? before
    const stamp = { updated_at: call.now, revision: await tx.nextSeq() }
    const pairs = await tx.remove(record, before, stamp)
    await this.journal(record, { ...before, ...stamp }, 'delete', {
      ...changesOf(record, {}, whole),
      ...(Object.keys(pairs).length > 0 && { [LINKS]: [pairs, null] }),
    })
    await this.ruleOf(record)?.after?.(this.context, change)
    return before
  }

  /** The counterpart of a removal: what was there is checked as if it were made now, and is as it was. */
  async restore(record: RecordType, { [LINKS]: links, ...was }: RawRow): Promise<RawRow> {
    const { tx, call } = this.context
    const errors: FieldError[] = []
    // Who was removed since has left its lists; what it points to itself must be there.
    const lists = Object.keys(was).filter((name) => record.fields[name]?.through)
    const alone = { ...was, ...Object.fromEntries(lists.map((name) => [name, []])) }
    await checkReferences(tx.asSystem(REASON), record, { row: alone, before: null, draft: alone }, errors)
    await checkUnique(tx, record, was, null, errors)
    if (errors.length > 0) throw invalid(sortErrors(record, errors))
    const stamp = { updated_at: call.now, revision: await tx.nextSeq() }
    const pairs: Pairs = links ?? {}
    await tx.restore(record, was.id, pairs, stamp)
    const row = (await this.findWhole(record, was.id)) ?? was
    const change = await this.check(record, { before: null, row })
    await this.journal(record, row, 'restore', changesOf(record, row, null))
    await this.ruleOf(record)?.after?.(this.context, change)
    return row
  }

  /** As a row reads now, with what its references lead to and what the rules added. */
  async read(record: RecordType, row: RawRow): Promise<RawRow> {
    const { tx, call, record: named } = this.context
    const seen = await tx.find(record, row.id)
    if (seen) return seen
    // Its own change took it out of the caller's sight: they are told all but the groups that they don't see.
    return withoutUnseen(call, named, record, (await this.findWhole(record, row.id)) ?? row)
  }

  /** Asks of a row what its rule asks, as it is after the whole batch; of one that is gone again, nothing. */
  async checkDeferred({ record, change }: Deferred): Promise<void> {
    const row = await this.findWhole(record, change.row.id)
    if (!row) return
    const errors: FieldError[] = []
    await this.ruleOf(record)?.check?.(this.context, { ...change, row, addError: errorCollector(record, errors, []) })
    nameItems(record, errors, row)
    const reported = isWorkerOnly(this.context.call.actor, record) ? renumberErrors(record, row, errors) : errors
    if (reported.length > 0) throw invalid(sortErrors(record, reported))
  }

  private ruleOf({ name }: RecordType): Rule | undefined {
    return this.rules[name]
  }

  private findWhole(record: RecordType, id: number | string): Promise<RawRow | null> {
    return this.context.tx.asSystem(REASON).find(record, id)
  }

  private async check(record: RecordType, sides: Pick<Change, 'before' | 'row'>): Promise<Change> {
    const errors: FieldError[] = []
    const change = { ...sides, draft: {}, addError: errorCollector(record, errors, []) }
    await this.ruleOf(record)?.check?.(this.context, change)
    if (errors.length > 0) throw invalid(sortErrors(record, errors))
    return change
  }

  private async journal(
    record: RecordType,
    { id, revision: seq }: RawRow,
    action: Action,
    changes: Event['changes'],
  ): Promise<void> {
    const { call, tx, recordEvent, reason, reverses } = this.context
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

const REASON = 'events are of the whole record'
