import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from '../run.ts'
import { summaryOf } from '../support/finding.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { repeat } from '../support/rounds.ts'
import { openStreams } from '../support/streams.ts'
import { usageOf } from '../support/usage.ts'

const [STREAMS, WRITES_PER_SECOND] = [1000, 100]

export const live: Load = {
  name: 'live',
  about:
    '1,000 event streams while 100 tags a second are written: from the answer of a write to the last stream that has its event.',
  run: (bench) =>
    withMuster(bench.serving(), async (muster, { key }) => {
      await muster.call('POST', '/v5/tags.json', { tag: { name: 'The first' } })
      const streams = await openStreams(muster.port, `/v5/events?api_key=${key}`, STREAMS)
      let written = 0
      try {
        return [
          await repeat(
            bench,
            { what: 'reach the last of 1,000 streams', unit: 'ms', goal: { of: 'value', most: 100 } },
            async (ms) => {
              const before = usageOf(muster.pid)
              const answered = new Map<number, number>()
              const writes: Promise<void>[] = []
              const started = performance.now()
              for (let i = 0; i < (ms / 1000) * WRITES_PER_SECOND; i++) {
                writes.push(write(muster, `Tag ${++written}`, answered))
                await sleep(Math.max(0, started + ((i + 1) * 1000) / WRITES_PER_SECOND - performance.now()))
              }
              await Promise.all(writes)
              const delays = await delaysOf(answered, streams.all)
              const after = usageOf(muster.pid)
              const { median, most } = summaryOf(delays)
              return {
                value: median,
                beside: {
                  'slowest ms': most,
                  ...(before &&
                    after && {
                      'server busy': (after.cpuMs - before.cpuMs) / (performance.now() - started),
                      'memory MB': after.residentMb,
                    }),
                },
              }
            },
          ),
        ]
      } finally {
        streams.close()
      }
    }),
}

async function write(muster: Muster, name: string, answered: Map<number, number>): Promise<void> {
  const { json } = await muster.call('POST', '/v5/tags.json', { tag: { name } })
  answered.set(json.tag.id, performance.now())
}

/** Tags are all that is written, so their order is that of the events. */
async function delaysOf(answered: Map<number, number>, all: Map<number, number>): Promise<number[]> {
  const give = performance.now() + 30_000
  while (all.size < answered.size && performance.now() < give) await sleep(5)
  if (all.size < answered.size) throw new Error(`${answered.size - all.size} events did not reach all streams`)
  const committed = [...answered.values()].sort((a, b) => a - b)
  const reached = [...all].sort(([a], [b]) => a - b).map(([, at]) => at)
  all.clear()
  return committed.map((at, i) => Math.max(0, (reached[i] ?? 0) - at))
}
