import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Bench, Load } from '../run.ts'
import { newPlace } from '../support/company.ts'
import type { Finding, Goal } from '../support/finding.ts'
import { removeFolder } from '../support/folders.ts'
import { type Limit, startLimit } from '../support/limit.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { recordWrites } from '../support/recorded.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, cpuOf, fireAt, type Round } from '../support/rounds.ts'
import { slowSync } from '../support/slow-sync.ts'
import { usageOf } from '../support/usage.ts'

export const create: Load = {
  name: 'create',
  about:
    'A tag made durably on 64 connections, with validation, journal and Idempotency-Key, beside a row a commit straight into the same SQLite; beside the same statements straight into SQLite, 64 writes a commit; and where each sync of the disk takes 2 ms more.',
  missed:
    'Tried: creates of the same turn share a commit, each in a savepoint of its own; who asks is looked up once for all who ask in a turn; pages that many writes change go to the file once. The profile has the statements (record, journal, answer under its key) first and the commit next, each a sixth, then sending, and the rest in small pieces: address, headers, XML, rules, the printed answer, the line of the log. A row a commit has one statement of the eleven; what the eleven cost without all else is beside the same statements.',
  async run(bench) {
    const findings = await withMuster(bench.serving(), async (muster, { key }) => {
      const finding = await besideLimit(
        bench,
        muster,
        key,
        { what: 'create a tag', limit: 'a commit each in SQLite', goal: { of: 'ratio', least: 2 } },
        startLimit('insert.ts'),
        {},
      )
      return [finding, tailOf(finding), cpuOf(finding, 110), await besideStatements(bench, muster, key)]
    })
    const env = slowSync()
    if (!env) {
      bench.say('  a slow disk needs Linux and a C compiler, and is left out')
      return findings
    }
    const slow = await withMuster({ ...bench.serving(), env }, (muster, { key }) =>
      besideLimit(
        bench,
        muster,
        key,
        {
          what: 'create a tag where a sync takes 2 ms more',
          limit: 'a commit each in SQLite',
          goal: { of: 'ratio', least: 10 },
        },
        startLimit('insert.ts', env),
        {},
      ),
    )
    return [...findings, slow]
  },
}

async function besideStatements(bench: Bench, muster: Muster, key: string): Promise<Finding> {
  const place = await newPlace()
  const writes = await recordWrites(place, newTag(place.key))
  removeFolder(place.folder)
  const what = { what: 'create a tag, beside its statements', limit: 'the same statements, 64 writes a commit' }
  return besideLimit(bench, muster, key, what, startLimit('replay.ts'), { writes })
}

/** Beside a limit that writes to a database of its own. */
async function besideLimit(
  bench: Bench,
  muster: Muster,
  key: string,
  finding: { what: string; limit: string; goal?: Goal },
  limit: Limit,
  message: object,
): Promise<Finding> {
  const other = await newPlace()
  const file = join(other.folder, 'muster.db')
  try {
    return await alternate(
      bench,
      { ...finding, unit: 'creates/s' },
      {
        limit: (ms) => written(limit, { ...message, file, ms }),
        muster: (ms) => fireAt(muster, { port: muster.port, request: newTag(key), ms }),
      },
    )
  } finally {
    await limit.stop()
    removeFolder(other.folder)
  }
}

/** What a limit that writes rows did in a round. */
export async function written(limit: Limit, message: object): Promise<Round> {
  const before = usageOf(limit.pid)?.cpuMs ?? 0
  const done = await limit.ask(message)
  const cpuMs = (usageOf(limit.pid)?.cpuMs ?? 0) - before
  return { value: (done.rows * 1000) / done.ms, beside: { 'server µs CPU each': (cpuMs * 1000) / done.rows } }
}

/** Each under a name and a key of its own. */
export const newTag = (key: string) => (): Buffer =>
  requestOf(
    'POST',
    `/v5/tags.xml?api_key=${key}`,
    { 'Content-Type': 'application/xml; charset=utf-8', 'Idempotency-Key': randomUUID() },
    `<tag><name>Tag ${randomUUID()}</name><description>Holds a current harness certificate</description><expires>true</expires></tag>`,
  )

/** How much longer than most the slowest wait. */
export function tailOf({ what, beside = {} }: Finding): Finding {
  const values = beside['p99 ms']?.map((p99, i) => p99 / (beside['p50 ms']?.[i] ?? Number.NaN)) ?? []
  return { what: `${what}: p99 over p50`, unit: 'times', muster: values, goal: { of: 'value', most: 10 } }
}
