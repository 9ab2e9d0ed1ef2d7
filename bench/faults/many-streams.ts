import { setTimeout as sleep } from 'node:timers/promises'
import type { Muster } from '../support/muster.ts'
import { openStreams, type Streams } from '../support/streams.ts'
import { type Fault, percentile, type Seen, type Trial, Wrongs } from './fault.ts'
import { inWords, others, residentMb } from './others.ts'
import { type Home, onSqlite, served } from './places.ts'

const [STREAMS, AT_ONCE, WRITES] = [10_000, 250, 20]
const MAX_KB = 100
const MAX_DELAY_MS = 5000

export const manyStreams: Fault = {
  name: 'many-streams',
  promised:
    'Ten thousand event streams are open on one server, each for less than 100 KB, and every one of them has every event within five seconds.',
  async run(trial) {
    if (trial.only === 'postgres') return []
    return [await onSqlite((home) => served(home, (muster) => opened(trial, home, muster)))]
  },
}

async function opened(trial: Trial, { place }: Home, muster: Muster): Promise<Seen> {
  const count = trial.times ?? (trial.quick ? 1000 : STREAMS)
  const wrongs = new Wrongs()
  await muster.call('POST', '/v5/tags.json', { tag: { name: 'Warm' } })
  await sleep(1000)
  const before = residentMb(muster)
  const groups: Streams[] = []
  const began = performance.now()
  for (let open = 0; open < count; open += AT_ONCE)
    groups.push(await openStreams(muster.port, `/v5/events?api_key=${place.key}`, AT_ONCE))
  const openS = (performance.now() - began) / 1000
  await sleep(5000)
  const each = ((residentMb(muster) - before) * 1024) / count
  trial.say(`  ${count} streams open after ${openS.toFixed(0)} s`)
  const calm = await others(muster, place.key, () => sleep(10_000))
  const delays: number[] = []
  const meanwhile = await others(muster, place.key, async () => {
    for (let i = 0; i < WRITES; i++) {
      for (const { all } of groups) all.clear()
      await muster.call('POST', '/v5/tags.json', { tag: { name: `Tag ${i}` } })
      const written = performance.now()
      while (groups.some(({ all }) => all.size === 0) && performance.now() - written < 60_000) await sleep(5)
      wrongs.unless(
        groups.every(({ all }) => all.size > 0),
        `event ${i} did not reach all streams in a minute`,
      )
      delays.push(Math.max(...groups.flatMap(({ all }) => [...all.values()])) - written)
      await sleep(1000)
    }
  })
  for (const group of groups) group.close()
  await sleep(3000)
  const [median, most] = [Math.round(percentile(delays, 0.5)), Math.round(percentile(delays, 1))]
  wrongs.unless(each < MAX_KB, `a stream takes ${each.toFixed(0)} KB`)
  wrongs.unless(most < MAX_DELAY_MS, `the last stream had an event after ${most} ms (median ${median} ms)`)
  wrongs.unless(meanwhile.failed === 0, `${meanwhile.failed} others were not answered`)
  const seen = `${each.toFixed(0)} KB each (${before} MB before, ${meanwhile.peakMb} MB at most, ${residentMb(muster)} MB after they left); the last of them had an event after ${median} ms (median of ${WRITES}), ${most} ms at most; while nothing was written ${inWords(calm)}; with an event a second ${inWords(meanwhile)}`
  return wrongs.seen('SQLite', `${count} streams open, client and server on a core each`, seen, {
    streams: count,
    kb_each: Math.round(each),
    delay_median_ms: median,
    delay_most_ms: most,
    peak_mb: meanwhile.peakMb,
    calm_p99_ms: calm.p99,
    p99_ms: meanwhile.p99,
  })
}
