import { EventEmitter } from 'node:events'

/**
 * Told which partition was written to, and whether by this process. Only a hint to look sooner: it may come twice, late, or
 * not at all.
 */
export type ChangeListener = (partition: number, isLocal: boolean) => void

/** Tells who listens in this process. */
export class ChangeNotifier {
  private readonly emitter = new EventEmitter().setMaxListeners(0)

  notify(partition: number, isLocal = true): void {
    this.emitter.emit('change', partition, isLocal)
  }

  /** Answers how to stop. */
  subscribe(listener: ChangeListener): () => void {
    this.emitter.on('change', listener)
    return () => void this.emitter.off('change', listener)
  }
}
