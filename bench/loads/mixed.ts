import type { Load } from '../run.ts'
import { type Company, newCompany } from '../support/company.ts'
import { busyDay } from '../support/day.ts'
import { withMuster } from '../support/muster.ts'
import { type Round, repeat, usedOf } from '../support/rounds.ts'

const MAX_P99_MS = 100

export const mixed: Load = {
  name: 'mixed',
  about: `What 500 workers and 20 dispatchers do in a busy hour, jobs by the deeds of \`muster demo\` from the order to photo and signature, as fast as it goes with a p99 under ${MAX_P99_MS} ms.`,
  run: async (bench) =>
    withMuster(
      bench.serving(),
      async (muster, company: Company) => {
        const day = await busyDay(muster, company)
        try {
          return [
            await repeat(bench, { what: 'a busy hour on one core', unit: 'times real time' }, async (ms) => {
              // The most that are served at once with nobody waiting too long.
              let best: Round = { value: 0, beside: {} }
              for (const atOnce of [1, 2, 4, 8, 16, 32]) {
                const { speed, fired, beside } = await usedOf(muster, () => day.live(ms, atOnce))
                if (best.value > 0 && fired.p99 > MAX_P99_MS) break
                const value = fired.p99 > MAX_P99_MS ? 0 : speed
                if (value >= best.value) best = { value, beside: { ...beside, 'at once': atOnce } }
              }
              return best
            }),
          ]
        } finally {
          day.close()
        }
      },
      await newCompany({ workers: 500, jobs: 2000, signedIn: true }),
    ),
}
