import { AggregatorRegistry, type MetricObject } from 'prom-client'

/** What one process has counted and read, as it is told to another. */
export type Figures = (MetricObject & { values: object[] })[]

/** The figures of several processes as those of one. */
export class AggregatedFigures {
  private readonly latest = new Map<number, Figures>()
  private gone: Figures = []

  update(process: number, figures: Figures): void {
    this.latest.set(process, figures)
  }

  /** What it has counted stays in the sums, which must not fall: Prometheus would take that for a new beginning. */
  remove(process: number): void {
    const counted = this.latest.get(process)?.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
    this.latest.delete(process)
    if (counted) this.gone = aggregate([this.gone, counted]).getMetricsAsArray() as Figures
  }

  /** As Prometheus reads it. Of those who serve and did not tell in time, what they told before. */
  text(serving: number, told: number): Promise<string> {
    const processes = {
      name: 'muster_processes',
      help: 'Processes that serve, and (told) those whose figures are of this moment',
      type: 'gauge',
      aggregator: 'sum',
      values: [
        { value: serving, labels: { state: 'serving' } },
        { value: told, labels: { state: 'told' } },
      ],
    } as unknown as Figures[number]
    return aggregate([...this.latest.values(), this.gone, [processes]]).metrics()
  }
}

function aggregate(all: Figures[]) {
  return AggregatorRegistry.aggregate(all.map((figures) => figures.map(takeWorst)))
}

/** Nothing true can be said of the percentiles of several, but which process is the worst. */
const takeWorst = (figure: Figures[number]) =>
  figure.name.startsWith('nodejs_eventloop_lag') ? { ...figure, aggregator: 'max' as const } : figure
