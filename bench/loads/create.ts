import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Load } from '../run.ts'
import { newPlace } from '../support/company.ts'
import type { Finding } from '../support/finding.ts'
import { removeFolder } from '../support/folders.ts'
import { startLimit } from '../support/limit.ts'
import { withMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt, type Round } from '../support/rounds.ts'
import { usageOf } from '../support/usage.ts'

export const create: Load = {
  name: 'create',
  about:
    'A tag made durably on 64 connections, with validation, journal and Idempotency-Key; the limit is a row a commit straight into the same SQLite.',
  missed:
    'Tried: creates of the same turn share a commit, each in a savepoint of its own. The profile has the commit first, then the statements (record, journal, answer under its key); a slow sync of the disk holds up all that share it, which is the tail.',
  run: (bench) =>
    withMuster(bench.serving(), async (muster, { key }) => {
      const other = await newPlace()
      const limit = startLimit('insert.ts')
      try {
        const finding = await alternate(
          bench,
          {
            what: 'create a tag',
            unit: 'creates/s',
            limit: 'a commit each in SQLite',
            goal: { of: 'ratio', least: 2 },
          },
          {
            limit: (ms) => inserts(limit, join(other.folder, 'muster.db'), ms),
            muster: (ms) => fireAt(muster, { port: muster.port, request: newTag(key), ms }),
          },
        )
        return [finding, tailOf(finding)]
      } finally {
        await limit.stop()
        removeFolder(other.folder)
      }
    }),
}

async function inserts(limit: ReturnType<typeof startLimit>, file: string, ms: number): Promise<Round> {
  const before = usageOf(limit.pid)?.cpuMs ?? 0
  const done = await limit.ask({ file, ms })
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
