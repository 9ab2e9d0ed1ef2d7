import { Counter, type Metric, type Registry } from 'prom-client'

/** Upper ends of the buckets, in seconds. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What was counted of one method of one route. */
interface Figures {
  route: string
  method: string
  /** The last is for what is slower than every bound. */
  buckets: number[]
  seconds: number
  timed: number
  statuses: Map<number, number>
}

/**
 * Requests by route, method and status, and how long they took. Counted in plain numbers, since prom-client puts a text
 * together at every count; they become its metrics when somebody asks.
 */
export class RequestFigures {
  private readonly routes = new Map<string, Map<string, Figures>>()

  constructor(registry: Registry) {
    const all = () => [...this.routes.values()].flatMap((methods) => [...methods.values()])
    new Counter({
      name: 'muster_http_requests_total',
      help: 'Requests answered, by the pattern of the route (none: there was none), method and status',
      labelNames: ['route', 'method', 'status'],
      registers: [registry],
      collect() {
        this.reset()
        for (const { route, method, statuses } of all())
          for (const [status, count] of statuses) this.inc({ route, method, status }, count)
      },
    })
    const name = 'muster_http_request_duration_seconds'
    const help = 'From the head of a request to its answer; streams of events are not timed'
    const get = async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: all().flatMap((of) => histogramLines(name, of)),
    })
    registry.registerMetric({ name, get, reset() {} } as unknown as Metric)
  }

  /** `path` is the pattern of the route; `seconds` is null for an answer that goes on. */
  count(path: string | undefined, method: string, status: number, seconds: number | null): void {
    const figures = this.of(path ?? 'none', METHODS.includes(method) ? method : 'other')
    figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1)
    if (seconds === null) return
    let i = 0
    while (i < BOUNDS_SECONDS.length && seconds > (BOUNDS_SECONDS[i] ?? 0)) i++
    figures.buckets[i] = (figures.buckets[i] ?? 0) + 1
    figures.seconds += seconds
    figures.timed++
  }

  private of(route: string, method: string): Figures {
    let methods = this.routes.get(route)
    if (!methods) {
      methods = new Map()
      this.routes.set(route, methods)
    }
    let figures = methods.get(method)
    if (!figures) {
      const buckets = new Array(BOUNDS_SECONDS.length + 1).fill(0)
      figures = { route, method, buckets, seconds: 0, timed: 0, statuses: new Map() }
      methods.set(method, figures)
    }
    return figures
  }
}

/** As the text format has a histogram: each bucket counts what the ones before it count, too. */
function histogramLines(name: string, { route, method, buckets, seconds, timed }: Figures) {
  if (timed === 0) return []
  const labels = { route, method }
  let sum = 0
  return [
    ...buckets.map((count, i) => {
      sum += count
      return { metricName: `${name}_bucket`, labels: { ...labels, le: BOUNDS_SECONDS[i] ?? '+Inf' }, value: sum }
    }),
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: timed },
  ]
}
