/**
 * `npm run soak`: a busy day on one server for as long as is said, and how much its memory grew: after each minute
 * garbage is collected, and the least of the last third is compared with that of the first. Ends with exit code 1 when it
 * grew by more than a fifth.
 *
 *   npm run soak                    an hour
 *   npm run soak -- --minutes N     as long
 *   npm run soak -- --snapshots DIR with a heap snapshot at both ends, for the developer tools of Chromium
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Company, newCompany } from './support/company.ts'
import { pinThis } from './support/cores.ts'
import { busyDay } from './support/day.ts'
import { summaryOf } from './support/finding.ts'
import { Inspector } from './support/inspector.ts'
import { figure } from './support/lines.ts'
import { withMuster } from './support/muster.ts'
import { usageOf } from './support/usage.ts'

/** By as much may a heap differ that holds the same: what is compiled comes and goes. */
const MAX_GROWTH = 0.2
/** Who ask something at any time. */
const AT_ONCE = 8

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, snapshots: { type: 'string' } } })
const minutes = Number(values.minutes)
const folder = values.snapshots ? resolve(values.snapshots) : null
if (folder) mkdirSync(folder, { recursive: true })

pinThis()
const company = await newCompany({ workers: 500, jobs: 2000, signedIn: true })
await withMuster(
  { flags: ['--inspect=127.0.0.1:0'] },
  async (muster, place: Company) => {
    const inspector = await Inspector.open(muster.log())
    const day = await busyDay(muster, place)
    await day.live(Math.min(60_000, minutes * 15_000), AT_ONCE)
    const first = await look('begin')
    const heaps: number[] = []
    const p99: number[] = []
    let answers = 0
    for (let minute = 0; minute < minutes; minute++) {
      const { fired } = await day.live(Math.min(60_000, minutes * 60_000), AT_ONCE)
      answers += fired.answers
      p99.push(fired.p99)
      const { heapMb, residentMb } = await held()
      heaps.push(heapMb)
      console.log(
        `minute ${minute + 1}: ${fired.answers} answers, p99 ${figure(fired.p99)} ms, heap ${figure(heapMb)} MB, resident ${figure(residentMb)} MB`,
      )
    }
    const last = await look('end')
    console.log(
      `${answers} answers in ${minutes} minutes, p99 of a minute ${figure(summaryOf(p99).median)} ms, at most ${figure(summaryOf(p99).most)} ms`,
    )
    console.log(
      `heap ${figure(first.heapMb)} MB to ${figure(last.heapMb)} MB, resident ${figure(first.residentMb)} MB to ${figure(last.residentMb)} MB`,
    )
    // What is remembered fills up and is forgotten again: what a heap holds at the least tells whether it grows.
    const third = Math.ceil(minutes / 3)
    const growth = Math.min(...heaps.slice(-third)) / Math.min(...heaps.slice(0, third)) - 1
    const grew = growth > MAX_GROWTH
    console.log(
      `${grew ? 'FAILED' : 'passed'}: from the first third to the last the least heap grew by ${Math.round(growth * 100)} %, of ${MAX_GROWTH * 100} % at most`,
    )
    if (grew) process.exitCode = 1
    day.close()
    inspector.close()

    async function look(name: string) {
      if (folder) await inspector.snapshot(join(folder, `${name}.heapsnapshot`))
      return held()
    }

    /** What is in use after all garbage was collected. */
    async function held() {
      return { heapMb: await inspector.heapMb(), residentMb: usageOf(muster.pid)?.residentMb ?? Number.NaN }
    }
  },
  company,
)
