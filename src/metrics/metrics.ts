import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Figures } from './aggregate.ts'
import type { Degradations } from './degradations.ts'
import { RequestFigures } from './requests.ts'

/** What values of one name are told apart by. */
const LABELS = ['pool', 'state', 'quota'] as const

/** A value with what tells it from the others of its name. */
export interface Reading {
  value: number
  labels?: { [label in (typeof LABELS)[number]]?: string }
}

/** The figures of one app, in a registry of its own. */
export class Metrics {
  readonly requests: RequestFigures
  readonly contentType: string
  private readonly registry = new Registry()
  private readonly writes: Histogram
  private readonly commits: Histogram
  private readonly slow: Counter
  private readonly over: Counter
  private readonly lag: Histogram
  /** Somebody has asked for them before. */
  asked = false
  /** Where other processes serve beside this one: the figures of all; null when they can't be had. */
  ofAll: () => Promise<string | null> = async () => null
  private streams = 0
  private readonly degradations: Degradations

  constructor(degradations: Degradations) {
    this.degradations = degradations
    const registers = [this.registry]
    this.contentType = this.registry.contentType
    this.requests = new RequestFigures(this.registry)
    this.writes = new Histogram({
      name: 'muster_commit_writes',
      help: 'Writes that shared a commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    })
    this.commits = new Histogram({
      name: 'muster_commit_duration_seconds',
      help: 'From the begin of a transaction to when it was durable',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    })
    this.slow = new Counter({
      name: 'muster_slow_statements_total',
      help: 'Statements that took longer than MUSTER_SLOW_STATEMENT_MS; the log names them',
      registers,
    })
    this.over = new Counter({
      name: 'muster_request_work_over_budget_total',
      help: 'Requests that kept others waiting, or took much memory; the log names them',
      labelNames: ['budget'],
      registers,
    })
    for (const budget of ['time', 'memory']) this.over.inc({ budget }, 0)
    new Counter({
      name: 'muster_degradations_total',
      help: 'Failures of parts that requests are answered without; the log says why',
      labelNames: ['part'],
      registers,
      collect() {
        this.reset()
        for (const [part, count] of degradations.counts) this.inc({ part }, count)
      },
    })
    this.lag = new Histogram({
      name: 'muster_event_lag_seconds',
      help: 'From the call that wrote an event to when a stream that was waiting sent it',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
      registers,
    })
    this.addGauge('muster_event_streams', 'Streams of events that are open', () => [{ value: this.streams }], 'sum')
  }

  recordCommit(writes: number, ms: number): void {
    this.writes.observe(writes)
    this.commits.observe(ms / 1000)
  }

  countSlowStatement(): void {
    this.slow.inc()
  }

  /** A request took more time at one go, or more memory, than any should. */
  overBudget(budget: 'time' | 'memory'): void {
    this.over.inc({ budget })
  }

  /** A stream of events opened; answers how to say that it is over. */
  openStream(): () => void {
    this.streams++
    return () => void this.streams--
  }

  recordEventLag(lagMs: number): void {
    this.lag.observe(lagMs / 1000)
  }

  /**
   * A figure that is looked up when somebody asks; left out when it can't be. Where several processes serve, all of
   * them look at the same (`max`), or each has its part of it (`sum`).
   */
  addGauge(
    name: string,
    help: string,
    read: () => Reading[] | Promise<Reading[]>,
    aggregator: 'sum' | 'max' = 'max',
  ): void {
    const report = (failure: unknown | null) => this.degradations.report('gauges', failure, name)
    new Gauge({
      name,
      help,
      aggregator,
      registers: [this.registry],
      labelNames: LABELS,
      async collect() {
        this.reset()
        try {
          for (const { value, labels = {} } of await read()) this.set(labels, value)
          report(null)
        } catch (error) {
          report(error)
        }
      },
    })
  }

  /** All of it, as Prometheus reads it. */
  async text(): Promise<string> {
    this.begin()
    return (await this.ofAll()) ?? this.registry.metrics()
  }

  /** Those of this process, for another one. */
  async figures(): Promise<Figures> {
    this.begin()
    return (await this.registry.getMetricsAsJSON()) as unknown as Figures
  }

  /** From the first time on, so that nobody pays for it who has no use for it. */
  private begin() {
    if (!this.asked) collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 20 })
    this.asked = true
  }
}
