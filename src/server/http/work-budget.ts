/** How long a request may keep the event loop to itself: for so long others wait at most. */
export const MAX_WORK_MS = 50
/** What the process may grow by while it answers a request with a large body. */
export const MAX_GROWN_BYTES = 256 * 1024 * 1024
/** Smaller bodies don't make the process grow; to look takes 10 µs. */
const LARGE_BYTES = 256 * 1024

interface Log {
  warn(figures: object, sentence: string): void
}

interface Metrics {
  overBudget(budget: 'time' | 'memory'): void
}

/** A request, as the log calls it. */
interface Worked {
  id: string
  method: string
  match: { route: { path: string } } | null
}

/**
 * Measures what requests do at one go. Each stage says whose work begins; it lasts until the next one begins, or the event
 * loop goes round. Whoever passes the budget is counted, and named in the log: no input should be able to.
 */
export class WorkBudget {
  private readonly log: Log
  private readonly metrics: Metrics
  private readonly now: () => number
  private current: Worked | null = null
  private since = 0
  private readonly memory = new WeakMap<Worked, number>()

  /** `now` is a clock in milliseconds. */
  constructor(log: Log, metrics: Metrics, now = () => performance.now()) {
    this.log = log
    this.metrics = metrics
    this.now = now
  }

  /** The work of a request begins, or goes on; `bodyBytes` once its body is here. */
  begin(worked: Worked, bodyBytes = 0): void {
    const now = this.now()
    if (this.current) this.measure(this.current, now - this.since)
    else setImmediate(() => this.end())
    this.current = worked
    this.since = now
    if (bodyBytes > LARGE_BYTES) this.memory.set(worked, process.memoryUsage.rss())
  }

  /** A request was answered. */
  done(worked: Worked): void {
    const before = this.memory.get(worked)
    const grownBytes = before === undefined ? 0 : process.memoryUsage.rss() - before
    if (grownBytes > MAX_GROWN_BYTES) this.report('memory', worked, { grown_mb: Math.round(grownBytes / 2 ** 20) })
  }

  private end() {
    if (this.current) this.measure(this.current, this.now() - this.since)
    this.current = null
  }

  private measure(worked: Worked, ms: number) {
    if (ms > MAX_WORK_MS) this.report('time', worked, { work_ms: Math.round(ms) })
  }

  private report(budget: 'time' | 'memory', { id, method, match }: Worked, figures: { [name: string]: number }) {
    this.metrics.overBudget(budget)
    this.log.warn({ call: id, method, route: match?.route.path, ...figures }, 'slow request work')
  }
}
