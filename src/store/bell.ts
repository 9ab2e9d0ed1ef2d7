import { EventEmitter } from 'node:events'

/**
 * Told which lane was written to, and whether by this process. Only a hint to look sooner: it may come twice, late, or
 * not at all.
 */
export type Heard = (lane: number, here: boolean) => void

/** Rings inside this process. */
export class Bell {
  private readonly rings = new EventEmitter().setMaxListeners(0)

  ring(lane: number, here = true): void {
    this.rings.emit('ring', lane, here)
  }

  /** Answers how to stop. */
  onRing(heard: Heard): () => void {
    this.rings.on('ring', heard)
    return () => void this.rings.off('ring', heard)
  }
}
