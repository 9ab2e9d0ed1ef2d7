/**
 * What each question costs in an account with many jobs: fills one, and asks every list, count, guard and follow-up.
 *
 *   bin/node bench/plans.ts [--jobs 1000000] [--over 20] [--plans]      on PostgreSQL (its own, or MUSTER_DATABASE_URL) and SQLite
 *
 * A database that is filled already is asked as it is. `--over` prints what took longer than so many milliseconds,
 * `--plans` how these were run.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createApp } from '#app/create'
import { systemCall } from '#call'
import { createAccount } from '#cli/accounts'
import { readConfig } from '#config'
import type { RawRow } from '#fields'
import { records } from '#records'
import { type Job, job } from '#records/job'
import { findCandidates } from '#rules/candidates'
import { gatherFacts } from '#rules/facts'
import { reports } from '#rules/reports/index'
import { noRoads } from '#rules/travel'
import { parseListQuery } from '#server/http/list-query'
import type { Database, Statement } from '#store/database'
import { isStored } from '#store/schema'
import { type Reader, Store } from '#store/store'
import { FIRST, fill, rowsOf } from './support/filled.ts'

const { values: flags } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000000' },
    over: { type: 'string', default: '20' },
    only: { type: 'string' },
    plans: { type: 'boolean' },
  },
})
const [jobs, over] = [Number(flags.jobs), Number(flags.over)]
const folder = process.env.MUSTER_DATA_DIR ?? '/tmp/muster-plans'
mkdirSync(folder, { recursive: true })
const app = await createApp(readConfig({ ...process.env, MUSTER_DATA_DIR: folder, MUSTER_LOG_LEVEL: 'error' }))
const real = app.store.database

const [known] = await app.store.accountIds()
if (known === undefined) {
  const { account_id: big } = await createAccount(app, 'Big', 'UTC', 'bench')
  await fill(app.store, big, jobs, console.log)
  for (let i = 0; i < 10; i++) {
    const { account_id: small } = await createAccount(app, `Small ${i}`, 'UTC', 'bench')
    await fill(app.store, small, 1000, () => {})
  }
  await real.migrate(['analyze'])
}
const big = known ?? ((await app.store.accountIds())[0] as number)

let asked: Statement[] = []
const listened: Database = {
  ...real,
  all: (statement) => {
    asked.push(statement)
    return real.all(statement)
  },
}
const store = new Store(listened, records)
const first = FIRST + big * 100_000_000
const figures: { what: string; ms: number }[] = []

/** The third time counts: plans are made and pages are read. */
async function measure(what: string, work: () => Promise<unknown>) {
  if (flags.only && !what.includes(flags.only)) return
  let ms = 0
  for (let i = 0; i < 3; i++) {
    asked = []
    const started = performance.now()
    await work()
    ms = performance.now() - started
    if (ms > 3000) break
  }
  figures.push({ what, ms })
  if (ms < over) return
  console.log(`${ms.toFixed(1).padStart(8)} ms  ${what}`)
  if (!flags.plans) return
  for (const { sql, parameters } of new Set(asked)) {
    const rows = await real.all({ sql: real.dialect.explain(sql), parameters })
    console.log(sql.slice(0, 3000), parameters)
    console.log(rows.map((row) => `            ${row.detail ?? row['QUERY PLAN']}`).join('\n'))
  }
}

/** What a report is asked with. */
const callOf = (reader: Reader) => ({ ...systemCall(store, account as never, 'bench'), store: reader })

const account = (await app.store.asSystem(big, 'a test').find(store.statements.record('account'), big)) as RawRow
for (const [who, groups] of [
  ['all', null],
  ['three groups', [1, 2, 3].map((i) => first + i)],
] as const) {
  const reader: Reader = store.as({ account: big, groups: groups && [...groups] })
  for (const record of records) {
    // What is listed only below its parent is few.
    if (!record.fields.id || !record.path || record.path.includes('{')) continue
    const ask = async (query: string) => {
      const page = parseListQuery(record, new URLSearchParams(query))
      await measure(`${who}: ${record.plural}?${query}`, () => reader.list(record, page))
      await measure(`${who}: count ${record.plural}?${query}`, () => reader.count(record, page))
    }
    const last = Math.max(1, Math.floor(rowsOf(record.plural, jobs) / 50) - 10)
    const day = new Date(Date.now() - 86_400_000).toISOString()
    for (const query of [
      '',
      `page=${last}`,
      'sort=-id',
      'search=zzz',
      'search=49',
      `updated_since=${day}`,
      'updated_since=2020-01-01',
      `created_since=${day}`,
    ])
      await ask(query)
    for (const [name, field] of Object.entries(record.fields)) {
      if (field.shape !== 'leaf' || field.internal || field.writeOnly) continue
      const target = field.target && records.find((other) => other.name === field.target)
      const sample = String(field.samples.good[0])
      const value =
        field.kind === 'ids' || (target && field.column === 'integer')
          ? String(first + 5)
          : record.name === 'job' && name === 'state'
            ? 'unallocated'
            : sample
      await ask(`${name}=${encodeURIComponent(value)}`)
      if (field.kind === 'ids') continue
      if (!field.required && !record.filters?.[name]) await ask(`${name}=`)
      if (isStored(field))
        for (const sort of [name, `-${name}`])
          await measure(`${who}: ${record.plural}?sort=${sort}`, () =>
            reader.list(record, parseListQuery(record, new URLSearchParams(`sort=${sort}`))),
          )
    }
    if (record.name === 'job') {
      await ask(`start_at=${day}&end_at=${new Date().toISOString()}`)
      await ask(`start_at=${day}&end_at=${new Date().toISOString()}&state=assigned&sort=planned_start_at`)
      await ask(`worker_id=${first + 5}&progress_state=not_started`)
      for (const report of reports.filter(({ ofJobs }) => ofJobs))
        for (const by of report.by)
          await measure(`${who}: report ${report.name} by ${by}, of all years`, () =>
            report.rows(callOf(reader), {
              from: '2000-01-01T00:00:00.000Z',
              to: new Date().toISOString(),
              by,
              filters: [],
            }),
          )
    }
  }
}
const reader = store.asSystem(big, 'a test')
for (const [what, share] of [
  ['a job of now', 0.985],
  ['a job of last year', 0.8],
  ['a job of next month', 0.999],
] as const) {
  const row =
    (await reader.find(job, first + Math.round(jobs * share))) ??
    ((await reader.find(job, first + Math.round(jobs * share) + 1)) as Job)
  await measure(`the guard of ${what}`, () =>
    gatherFacts(reader, { jobs: [row], workerIds: row.worker_id ? [row.worker_id] : [], assetIds: row.asset_ids }),
  )
  await measure(`candidates of ${what}`, () =>
    findCandidates(
      { ...systemCall(store, account as never, 'bench') },
      reader,
      {
        jobs: [row],
        workerIds: 'all',
        window: null,
      },
      noRoads,
    ),
  )
}
await measure('journal: horizon', () => reader.journal.head())
await measure('journal: between', () => reader.journal.between(jobs, 2 * jobs, 50))
await measure('journal: between, of a type that is not there', () =>
  reader.journal.between(0, 2 * jobs, 50, ['webhook']),
)
await measure('journal: of one', () => reader.journal.of('job', first + 5))
await measure('answers: forget', () => store.deleteReplies('2000-01-01T00:00:00.000Z', '2000-01-01T00:00:00.000Z'))
await measure('accounts', () => store.accountIds())

figures.sort((a, b) => b.ms - a.ms)
const at = (share: number) => figures[Math.floor(figures.length * (1 - share))]?.ms.toFixed(1)
console.log(
  `\n${real.dialect.name}: ${figures.length} questions, half under ${at(0.5)} ms, nine of ten under ${at(0.9)}, longest ${figures[0]?.ms.toFixed(0)}`,
)
await app.close()
