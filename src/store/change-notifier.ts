import { EventEmitter } from 'node:events'

/**
 * Told which partition was written to, and whether by this process. Only a hint to look sooner: it may come twice, late, or
 * not at all.
 */
export type ChangeListener = (partition: number, isLocal: boolean) => void

/** Told what a process says to all of them of a partition; nobody keeps it, and it may be lost. */
export type BroadcastListener = (partition: number, message: string) => void

/** Tells who listens in this process. */
export class ChangeNotifier {
  private readonly emitter = new EventEmitter().setMaxListeners(0)

  notify(partition: number, isLocal = true): void {
    this.emitter.emit('change', partition, isLocal)
  }

  broadcast(partition: number, message: string): void {
    this.emitter.emit('broadcast', partition, message)
  }

  /** Answers how to stop. */
  subscribe(listener: ChangeListener): () => void {
    return this.on('change', listener)
  }

  /** Answers how to stop. */
  onBroadcast(listener: BroadcastListener): () => void {
    return this.on('broadcast', listener)
  }

  private on(event: string, listener: ChangeListener | BroadcastListener): () => void {
    this.emitter.on(event, listener)
    return () => void this.emitter.off(event, listener)
  }
}
