import pg from 'pg'
import { startPostgres } from '#test/postgres-server'
import type { Bench, Load } from '../run.ts'
import { type Company, newCompany } from '../support/company.ts'
import { cores } from '../support/cores.ts'
import type { Finding } from '../support/finding.ts'
import { newFolder } from '../support/folders.ts'
import { type Limit, startLimit } from '../support/limit.ts'
import { type Muster, startMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt, type Round } from '../support/rounds.ts'
import { usageOf } from '../support/usage.ts'
import { newTag } from './create.ts'
import { fitFor, openJob } from './jobs.ts'
import { batches, POINTS } from './telemetry.ts'

export const postgres: Load = {
  name: 'postgres',
  about:
    'The same on PostgreSQL, which syncs: one process beside bare `pg` doing the statements of the request, then `muster serve --processes 2` beside one process. PostgreSQL is on the core of the load, and so is one of the two.',
  async run(bench) {
    const server = await startPostgres({ durable: true, folder: newFolder() })
    const url = await newDatabase(server.url)
    const company = await newCompany({ workers: 200, jobs: 1000, signedIn: true }, { MUSTER_DATABASE_URL: url })
    const one = await startMuster(company, bench.serving())
    const two = await startMuster(company, { ...bench.serving(), core: cores?.both, processes: 2 })
    const limit = startLimit('pg.ts')
    try {
      return [...(await beside(bench, company, limit, one)), ...(await besideOne(bench, company, one, two))]
    } finally {
      await Promise.all([one, two, limit].map((process) => process.stop()))
      await server.stop()
    }
  },
}

async function newDatabase(server: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  await client.query('create database bench')
  await client.end()
  return `${server}/bench`
}

/** One process beside the statements alone. */
async function beside(bench: Bench, company: Company, limit: Limit, muster: Muster): Promise<Finding[]> {
  const { account, settings, tags } = company
  const statements =
    (what: 'read' | 'create') =>
    async (ms: number): Promise<Round> => {
      const before = usageOf(limit.pid)?.cpuMs ?? Number.NaN
      const { done, ...took } = await limit.ask({ url: settings.MUSTER_DATABASE_URL, account, tag: tags[0], what, ms })
      const cpuMs = (usageOf(limit.pid)?.cpuMs ?? Number.NaN) - before
      return { value: (done * 1000) / took.ms, beside: { 'server µs CPU each': (cpuMs * 1000) / done } }
    }
  const compare = (what: string, which: 'read' | 'create', request: () => Buffer) =>
    alternate(
      bench,
      { what, unit: 'requests/s', limit: 'bare pg' },
      { limit: statements(which), muster: (ms) => fireAt(muster, { port: muster.port, request, ms }) },
    )
  const { read, create } = requests(company)
  return [await compare('read a tag', 'read', read), await compare('create a tag', 'create', create)]
}

/** Two processes beside one. */
async function besideOne(bench: Bench, company: Company, one: Muster, two: Muster): Promise<Finding[]> {
  const { read, page, create, job, assign, candidates, telemetry } = requests(company)
  const compare = (what: string, unit: string, request: () => Buffer, each = 1) => {
    const on = (muster: Muster) => async (ms: number) => {
      const { value, beside } = await fireAt(muster, { port: muster.port, request, ms })
      return { value: value * each, beside }
    }
    return alternate(
      bench,
      { what: `${what}, two processes`, unit, limit: 'one process' },
      { limit: on(one), muster: on(two) },
    )
  }
  return [
    await compare('read a tag', 'requests/s', read),
    await compare('read a page of 50 jobs', 'requests/s', page),
    await compare('create a tag', 'creates/s', create),
    await compare('create a job', 'jobs/s', job),
    await compare('assign a job', 'jobs/s', assign),
    await compare('ask who can take a job', 'requests/s', candidates),
    await compare('keep telemetry', 'points/s', telemetry, POINTS),
  ]
}

const json = { 'Content-Type': 'application/json' }

function requests(company: Company) {
  const { key, tags, cookies } = company
  let made = company.jobs
  let assigned = 0
  // Every twentieth waits for somebody.
  const open = requestOf('GET', `/v5/jobs/20/candidates.json?api_key=${key}`)
  const [tag, jobs] = [
    requestOf('GET', `/v5/tags/${tags[0]}.xml?api_key=${key}`),
    requestOf('GET', `/v5/jobs.xml?api_key=${key}`),
  ]
  return {
    read: () => tag,
    page: () => jobs,
    create: newTag(key),
    job: () =>
      requestOf('POST', `/v5/jobs.json?api_key=${key}`, json, JSON.stringify({ job: openJob(company, made++) })),
    assign() {
      const id = (assigned++ % company.jobs) + 1
      return requestOf(
        'PUT',
        `/v5/jobs/${id}.json?api_key=${key}`,
        json,
        JSON.stringify({ job: fitFor(company, id * 7) }),
      )
    },
    candidates: () => open,
    telemetry: batches(cookies),
  }
}
