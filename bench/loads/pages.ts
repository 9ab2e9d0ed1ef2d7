import type { Bench, Load } from '../run.ts'
import type { Company } from '../support/company.ts'
import type { Finding } from '../support/finding.ts'
import { companyOf } from '../support/million.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt } from '../support/rounds.ts'
import { newTag } from './create.ts'
import { besideRaw } from './read-one.ts'

/** 50 jobs each, by what a thousand jobs and a million have alike. */
const pages: { [name: string]: (jobs: number) => string } = {
  'the first page': () => '',
  'the last page': (jobs) => `&after_id=${jobs - 50}`,
  'a filtered page': () => '&state=unallocated',
  'a searched page': () => '&search=gate%20K',
}

export const readPages: Load = {
  name: 'pages',
  about:
    'A page of 50 whole jobs with steps and custom fields, beside the same bytes pre-rendered: nothing is written meanwhile, so the answer is remembered. And with a million jobs beside a thousand, where one request in ten is a write.',
  missed:
    'The limit sends bytes that were made before. Muster reads the jobs with their steps and fields for this caller, prints, hashes and compresses them, and does it again after each write in the account. Tried: answers given again until then, ids first and rows by them, statements for each shape, writers compiled from the descriptions, compression at the fastest level, and totals that are taken on by the journal (a searched page of a million jobs was counted anew after each write, for 4 seconds). The profile has reading (SQLite and the JSON in its columns) and printing at a quarter each, compressing and hashing at a seventh together.',
  async run(bench) {
    const [few, many] = [await companyOf(1000), await companyOf(bench.quick ? 10_000 : 1_000_000)]
    return withMuster(
      bench.serving(),
      (small) =>
        withMuster(
          bench.serving(),
          async (big) => {
            const path = (format: string, key: string, more: string) =>
              `/v5/jobs.${format}?api_key=${key}&per_page=50${more}`
            const findings: Finding[] = []
            for (const format of ['xml', 'json'])
              findings.push(
                await besideRaw(bench, small, `read a page as ${format.toUpperCase()}`, path(format, few.key, ''), 0.2),
              )
            for (const [name, query] of Object.entries(pages)) {
              const side = (muster: Muster, { key, jobs }: Company) => ({
                muster,
                key,
                path: path('xml', key, query(jobs)),
              })
              const what = `${name} of ${many.jobs.toLocaleString('en')} jobs`
              findings.push(await besideFew(bench, what, side(small, few), side(big, many)))
            }
            return findings
          },
          many,
        ),
      few,
    )
  },
}

interface Side {
  muster: Muster
  key: string
  path: string
}

function besideFew(bench: Bench, what: string, small: Side, big: Side): Promise<Finding> {
  const side = ({ muster, key, path }: Side) => {
    const bytes = requestOf('GET', path)
    const write = newTag(key)
    // What is remembered until somebody writes must not make a page look better than it is at work.
    const request = (number: number) => (number % 10 === 0 ? write() : bytes)
    return async (ms: number) => {
      const { value, beside } = await fireAt(muster, { port: muster.port, request, ms, connections: 4 })
      return { value: 1000 / value, beside }
    }
  }
  return alternate(
    bench,
    { what, unit: 'ms each', limit: 'of a thousand', goal: { of: 'ratio', most: 1.3 } },
    { limit: side(small), muster: side(big) },
  )
}
