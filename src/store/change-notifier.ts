import { EventEmitter } from 'node:events'

/**
 * Told which lane was written to, and whether by this process. Only a hint to look sooner: it may come twice, late, or
 * not at all.
 */
export type ChangeListener = (partition: number, isLocal: boolean) => void

/** Rings inside this process. */
export class ChangeNotifier {
  private readonly emitter = new EventEmitter().setMaxListeners(0)

  notify(partition: number, isLocal = true): void {
    this.emitter.emit('ring', partition, isLocal)
  }

  /** Answers how to stop. */
  subscribe(listener: ChangeListener): () => void {
    this.emitter.on('ring', listener)
    return () => void this.emitter.off('ring', listener)
  }
}
