import type { Load } from '../run.ts'
import { type Company, newCompany } from '../support/company.ts'
import { busyDay } from '../support/day.ts'
import { withMuster } from '../support/muster.ts'
import { fireAt, type Round, repeat } from '../support/rounds.ts'

const MOST_P99_MS = 100

export const mixed: Load = {
  name: 'mixed',
  about: `What 500 workers and 20 dispatchers do in a busy hour, as fast as it goes with a p99 under ${MOST_P99_MS} ms.`,
  run: async (bench) =>
    withMuster(
      bench.serving(),
      async (muster, company: Company) => {
        const { perHour, next } = await busyDay(muster, company)
        return [
          await repeat(bench, { what: 'a busy hour on one core', unit: 'times real time' }, async (ms) => {
            // The most that are served at once with nobody waiting too long.
            let best: Round = { value: 0, beside: { 'p50 ms': Number.NaN, 'p99 ms': Number.NaN, connections: 0 } }
            for (const connections of [2, 4, 8, 16, 32]) {
              const { value, beside } = await fireAt(muster, {
                port: muster.port,
                request: next,
                ms: ms / 2,
                connections,
              })
              if ((beside['p99 ms'] ?? 0) > MOST_P99_MS) break
              if (value > best.value) best = { value, beside: { ...beside, connections } }
            }
            return { ...best, value: (best.value * 3600) / perHour }
          }),
        ]
      },
      await newCompany({ workers: 500, jobs: 2000, signedIn: true }),
    ),
}
