import { namesOf } from '#fields'
import type { Log } from '#log'

/** What can fail without a request failing, and what is done in its place. */
const parts = {
  replica: 'The standby does not answer: the primary is read in its place',
  notifier: 'Other processes are not heard: their changes are told some seconds later',
  gauges: 'Some figures of /metrics can not be looked up, and are left out',
  key_usage: 'When keys and sessions were last used can not be written: it is tried again',
}
export type Part = keyof typeof parts

/** Who is told whether a part works (null), or why not; `which` is one of several of its kind. Called often. */
export type ReportPart = (part: Part, failure: unknown | null, which?: string) => void

/**
 * Parts that fail while requests are answered: told in the log when they begin to fail and when they work again, counted
 * in `/metrics` each time, and said by `/readyz`, which `doctor` asks.
 */
export class Degradations {
  readonly counts = new Map(namesOf(parts).map((part) => [part, 0]))
  private readonly failing = new Map<string, Part>()
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  readonly report: ReportPart = (part, failure, which) => {
    const key = which ?? part
    if (failure === null) {
      if (this.failing.delete(key)) this.log.info({ part, which }, 'works again')
      return
    }
    this.counts.set(part, (this.counts.get(part) ?? 0) + 1)
    if (this.failing.has(key)) return
    this.failing.set(key, part)
    this.log.warn({ part, which, err: failure }, parts[part])
  }

  /** A sentence for each part that fails now. */
  sentences(): string[] {
    return [...new Set(this.failing.values())].map((part) => parts[part])
  }
}
