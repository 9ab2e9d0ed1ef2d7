import { type Coordinates, distanceKm } from '#rules/coordinates'
import type { Roads } from '#rules/travel'
import { askForJson } from './ask.ts'

/** Where it is told that the server fails. */
interface Log {
  warn(what: object, sentence: string): void
}

/** Places of one question, on both sides together: what an OSRM server takes unless it is told otherwise. */
const MAX_PLACES = 100
/** One answer may take so long, and all that one request waits for together. */
const TIMEOUT_MS = 1000
/** After a failure nothing is asked for so long. */
const PAUSE_MS = 30_000
/** Ways that are remembered. */
const MAX_WAYS = 50_000
/** Who says to be faster than this through the air, or slower than walking around, is not believed. */
const [MAX_KMH, MIN_KMH] = [200, 2]
/** Ways that begin at a place and end there may still take a while. */
const MIN_SECONDS = 600

/** An OSRM-compatible server, asked by its table service for many ways at once, each remembered until the process ends. */
export class RoutingServer implements Roads {
  private readonly base: string
  private readonly log: Log
  private readonly ways = new Map<string, number>()
  private pausedUntil = 0
  private asking: Promise<void> | null = null

  constructor(base: string, log: Log) {
    this.base = base
    this.log = log
  }

  secondsBetween(from: Coordinates, to: Coordinates): number | null {
    return this.ways.get(keyOf(from, to)) ?? null
  }

  async learn(from: Coordinates[], to: Coordinates[]): Promise<void> {
    const unknown = from.some((one) => to.some((other) => this.secondsBetween(one, other) === null))
    // One question at a time: others take the estimate, and what is learnt meanwhile is there the next time.
    if (!unknown || this.asking || Date.now() < this.pausedUntil) return
    this.asking = this.ask(unique(from).slice(0, MAX_PLACES / 2), unique(to).slice(0, MAX_PLACES / 2))
      .catch((err) => {
        this.pausedUntil = Date.now() + PAUSE_MS
        this.log.warn({ err }, 'The routing server does not answer: ways are estimated')
      })
      .finally(() => {
        this.asking = null
      })
    await this.asking
  }

  private async ask(from: Coordinates[], to: Coordinates[]): Promise<void> {
    const all = [...from, ...to].map(({ lat, lng }) => `${lng},${lat}`).join(';')
    const indexes = (places: Coordinates[], start: number) => places.map((_, i) => start + i).join(';')
    const url = new URL(`${this.base}/table/v1/driving/${all}`)
    url.search = `sources=${indexes(from, 0)}&destinations=${indexes(to, from.length)}&annotations=duration`
    const { durations } = (await askForJson(url, TIMEOUT_MS)) as { durations?: unknown }
    if (!Array.isArray(durations)) throw new Error('the answer has no durations')
    if (this.ways.size > MAX_WAYS) this.ways.clear()
    for (const [i, one] of from.entries())
      for (const [k, other] of to.entries()) {
        const seconds: unknown = durations[i]?.[k]
        if (typeof seconds === 'number' && isPlausible(seconds, distanceKm(one, other)))
          this.ways.set(keyOf(one, other), Math.round(seconds))
      }
  }
}

const isPlausible = (seconds: number, km: number) =>
  seconds >= (km / MAX_KMH) * 3600 && seconds <= Math.max(MIN_SECONDS, (km / MIN_KMH) * 3600)

/** To about ten metres. */
const keyOf = (...places: Coordinates[]) =>
  places.map(({ lat, lng }) => `${lat.toFixed(4)},${lng.toFixed(4)}`).join(' ')

const unique = (places: Coordinates[]) => [...new Map(places.map((place) => [keyOf(place), place])).values()]
