import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnPostgres } from '#test/postgres-server'
import { query } from './places.ts'

/** The first process of a PostgreSQL; null when there is none. */
export function postmaster({ data }: OwnPostgres): number | null {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return null
  }
}

/** Starts it again where it is gone, as whoever looks after it would; answers whether it was. */
export async function raise(postgres: OwnPostgres | null): Promise<boolean> {
  if (!postgres) return false
  let gone = false
  for (let tries = 0; tries < 100; tries++) {
    if (await answers(postgres)) return gone
    if (postmaster(postgres) === null) {
      gone = true
      // What is left of the one before may hold its memory for a moment.
      await postgres.start().catch(() => {})
    }
    await sleep(200)
  }
  throw new Error('PostgreSQL did not come back')
}

const answers = ({ url }: OwnPostgres) =>
  query(`${url}/postgres`, 'select 1').then(
    () => true,
    () => false,
  )
