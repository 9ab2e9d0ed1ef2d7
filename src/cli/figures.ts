import type { Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app'
import { AggregatedFigures, type Figures } from '#metrics/aggregate'
import type { Metrics } from '#metrics/metrics'

type Log = Pick<App['log'], 'warn'>

/** Who has not told its figures by then is left out of the answer. */
const TELL_MS = 1_000
/** The first process may run older code than those it starts now, and not know what it is asked. */
const ANSWER_MS = 2_000

/** What a process says of figures: it asks for those of all, or tells its own. */
export type OfFigures = { asks: 'figures' } | { figures: Figures }
/** What it is told: to tell its own; or those of all, which it asked for. */
export type AboutFigures = 'figures' | { text: string }

/** In a process that serves: `/metrics` answers for all of them. Answers how to tell the last figures before the end. */
export function shareFigures(worker: Worker, metrics: Metrics, log: Log): () => Promise<void> {
  const failed = (err: unknown) => {
    if (err) log.warn({ err }, 'could not share figures')
  }
  const tell = async () => {
    const figures = await metrics.figures()
    await new Promise<void>((done) =>
      worker.send({ figures } satisfies OfFigures, (err) => {
        failed(err)
        done()
      }),
    )
  }
  let asking: Promise<string | null> | null = null
  let answered: (text: string | null) => void = () => {}

  worker.on('message', (message: AboutFigures) => {
    if (message === 'figures') tell().catch(failed)
    else if (typeof message === 'object' && 'text' in message) answered(message.text)
  })
  metrics.ofAll = () => {
    asking ??= new Promise<string | null>((resolve) => {
      answered = resolve
      setTimeout(resolve, ANSWER_MS, null)
      worker.send({ asks: 'figures' } satisfies OfFigures, failed)
    }).finally(() => {
      asking = null
    })
    return asking
  }
  return async () => {
    if (metrics.asked) await tell()
  }
}

/** In the first process: gathers the figures of those that serve, whenever one of them asks. */
export class FiguresOfAll {
  private readonly aggregated = new AggregatedFigures()
  private readonly waiting = new Map<number, () => void>()
  private readonly serving = new Set<Worker>()
  private gathering: Promise<string> | null = null
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  follow(worker: Worker): void {
    this.serving.add(worker)
    worker.on('message', (said: OfFigures) => {
      if ('asks' in said) this.answer(worker).catch((err) => this.log.warn({ err }, 'could not add figures up'))
      if (!('figures' in said)) return
      this.aggregated.update(worker.id, said.figures)
      this.waiting.get(worker.id)?.()
    })
    // Not when it exits: what it said last may be still on its way then.
    worker.once('disconnect', () => {
      this.serving.delete(worker)
      this.aggregated.remove(worker.id)
      this.waiting.get(worker.id)?.()
    })
  }

  private async answer(worker: Worker) {
    this.gathering ??= this.gather().finally(() => {
      this.gathering = null
    })
    const text = await this.gathering
    if (worker.isConnected()) worker.send({ text } satisfies AboutFigures, () => {})
  }

  private async gather(): Promise<string> {
    const asked = [...this.serving]
    let message = 0
    const telling = asked.map(async (worker) => {
      const answered = new Promise<void>((resolve) => this.waiting.set(worker.id, resolve))
      worker.send('figures' satisfies AboutFigures, () => {})
      await answered
      message++
    })
    await Promise.race([Promise.all(telling), sleep(TELL_MS, null, { ref: false })])
    this.waiting.clear()
    return this.aggregated.text(asked.length, message)
  }
}
