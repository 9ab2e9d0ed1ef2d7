import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { RawRow, RecordType } from '#fields'
import { isFulfilled, type Visibility, visibilityOf } from '#fields/visibility'
import { records } from '#records'
import type { Scope } from '#store/store'
import { databases } from '#test/databases'
import { startApp } from '#test/test-app'

const named = (name: string) => records.find((record) => record.name === name) as RecordType
const [GROUPS, USERS] = [3, 4]
const permissions = ['jobs', 'customers']
const seenRecords = records.filter(({ visible, ownership }) => visible !== undefined || ownership !== undefined)
const ownRecords = seenRecords.filter(({ ownership }) => ownership !== undefined)

/** What visibility may look at, drawn for one row; the rest is the least that a row has. */
function rowOf(
  record: RecordType,
  number: number,
  ids: { [record: string]: (number | string)[] },
): fc.Arbitrary<RawRow> {
  const drawn: { [name: string]: fc.Arbitrary<unknown> } = {}
  for (const [name, field] of Object.entries(record.fields)) {
    const targets = ids[field.target ?? ''] ?? []
    if (field.auto === 'id' || field.auto === 'uuid') drawn[name] = fc.constant(ids[record.name]?.[number])
    else if (field.lookup || field.virtual || field.shape === 'records' || field.auto === 'account') continue
    else if (field.kind === 'ids') drawn[name] = fc.subarray(targets)
    else if (field.target && field.shape === 'leaf')
      drawn[name] = field.required ? fc.constantFrom(...targets) : fc.option(fc.constantFrom(...targets))
    else if (field.column === 'boolean') drawn[name] = fc.boolean()
    else if (name === 'published_at' || name === 'deleted_at')
      drawn[name] = fc.option(fc.constant('2026-11-20T09:00:00.000Z'), { freq: 3 })
    else if (field.unique) drawn[name] = fc.constant(`x${number}`)
    else if (name === 'permission') drawn[name] = fc.constantFrom(null, ...permissions)
    else if (field.default !== undefined) drawn[name] = fc.constant(field.default)
    else if (field.required)
      drawn[name] = fc.constant(
        field.column === 'instant' ? '2026-11-20T09:00:00.000Z' : field.column === 'integer' ? 1 : 'x',
      )
    else
      drawn[name] = fc.constant(
        field.shape === 'links' || field.shape === 'array' || field.shape === 'list' ? [] : null,
      )
  }
  return fc.record(drawn)
}

const counts: { [record: string]: number } = { group: GROUPS, user: USERS, job: 6, thread: 5, message: 6 }
const uuidOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const ids = Object.fromEntries(
  records.map((record) => [
    record.name,
    Array.from({ length: counts[record.name] ?? 3 }, (_, i) =>
      record.fields.id?.column === 'uuid' ? uuidOf(i + 1) : i + 1,
    ),
  ]),
)

/** Rows of every record that visibility is about, and who asks. */
const company = fc.record(
  Object.fromEntries(
    [...seenRecords].map((record) => [
      record.name,
      fc.tuple(...(ids[record.name] ?? []).map((_, i) => rowOf(record, i, ids))),
    ]),
  ) as { [record: string]: fc.Arbitrary<RawRow[]> },
)

for (const database of databases)
  describe(`visibility (${database.name})`, () => {
    test('is the same in SQL and of rows in memory: groups, own, through, shared, personal, assignable', async () => {
      await using app = await startApp({ database })
      const { store } = app.app
      let account = 1000
      await fc.assert(
        fc.asyncProperty(
          company,
          fc.subarray(ownRecords.map(({ name }) => name)),
          fc.subarray([1, 2, 3]),
          fc.constantFrom(...Array.from({ length: USERS }, (_, i) => i + 1)),
          fc.boolean(),
          fc.boolean(),
          fc.option(fc.subarray(permissions), { nil: undefined }),
          async (rows, own, limit, userId, canAssign, whole, has) => {
            // A relation that has a list at either end is said by one of them.
            for (const group of rows.group ?? [])
              group.user_ids = (rows.user ?? []).flatMap((user) => (user.group_ids.includes(group.id) ? [user.id] : []))
            const scope: Scope = {
              account: ++account,
              groups:
                whole && own.length === 0 ? null : own.length > 0 ? (rows.user?.[userId - 1]?.group_ids ?? []) : limit,
              userId,
              ownOnly: new Set(own),
              canAssign,
              ...(has && { permissions: has }),
            }
            await store.writeAsSystem(account, 'a test', async (tx) => {
              for (const record of seenRecords) for (const row of rows[record.name] ?? []) await tx.insert(record, row)
            })
            const visibility: Visibility = {
              groups: scope.groups !== null,
              ownOnly: new Set(own),
              canAssign,
              sharedOnly: has !== undefined,
            }
            const find = (record: RecordType, id: number | string) =>
              rows[record.name]?.find((row) => row.id === id && row.deleted_at === null)
            const beholder = {
              me: userId,
              groups: scope.groups,
              permissions: has ?? [],
              sees: (record: RecordType, id: number | string): boolean => {
                const row = find(record, id)
                return row !== undefined && isFulfilled(visibilityOf(record, visibility, named), row, beholder)
              },
              isUnder: (under: RecordType, field: string, id: number | string): boolean =>
                (rows[under.name] ?? []).some(
                  (row) =>
                    row.deleted_at === null &&
                    [row[field]].flat().includes(id) &&
                    isFulfilled(
                      visibilityOf(under, { ...visibility, ownOnly: new Set([under.name]) }, named),
                      row,
                      beholder,
                    ),
                ),
            }
            for (const record of seenRecords) {
              const found = await store.as(scope).list(record, { filters: [], limit: 100 }, ['id'])
              assert.deepEqual(
                found.map(({ id }) => id),
                (rows[record.name] ?? []).flatMap(({ id }) => (beholder.sees(record, id) ? [id] : [])),
                `${record.name} seen by ${JSON.stringify({ ...scope, own })}`,
              )
            }
          },
        ),
        { numRuns: 60 },
      )
    })
  })
