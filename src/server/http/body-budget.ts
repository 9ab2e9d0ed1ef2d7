import type { IncomingMessage } from 'node:http'
import { readBody } from './read-body.ts'

/** Smaller bodies never wait. */
const LARGE_BODY_BYTES = 256 * 1024
/** What large bodies hold together, in bytes, before others of them are left on the wire. */
const MAX_HELD_BYTES = 256 * 1024 * 1024

interface PendingBody {
  stream: IncomingMessage
  heldBytes: number
  /** All of it is here, and what it holds is free once it is answered. */
  isComplete: boolean
}

/** Large bodies under way: they share memory and time, so that many of them at once don't take either from others. */
export class BodyBudget {
  private readonly pending = new Set<PendingBody>()
  private heldBytes = 0
  private free: Promise<void> = Promise.resolve()

  /** Reads a body and works on it. @throws Problem as `readBody` does, and what `work` throws */
  async read<T>(stream: IncomingMessage, maxBytes: number, work: (body: Buffer) => Promise<T>): Promise<T> {
    const pending: PendingBody = { stream, heldBytes: 0, isComplete: false }
    try {
      const body = await readBody(stream, maxBytes, (bytes) => this.hold(pending, bytes))
      pending.isComplete = true
      if (body.length > LARGE_BODY_BYTES) await this.waitForTurn()
      return await work(body)
    } finally {
      this.release(pending)
    }
  }

  private hold(pending: PendingBody, bytes: number) {
    if (bytes <= LARGE_BODY_BYTES) return
    this.pending.add(pending)
    this.heldBytes += bytes - pending.heldBytes
    pending.heldBytes = bytes
    this.applyBackpressure()
  }

  private release(pending: PendingBody) {
    if (!this.pending.delete(pending)) return
    this.heldBytes -= pending.heldBytes
    this.applyBackpressure()
  }

  /** While there is no room, nobody sends; but the first, where none is whole and room would never come. */
  private applyBackpressure() {
    const full = this.heldBytes > MAX_HELD_BYTES
    const bodies = [...this.pending]
    const first = bodies.some(({ isComplete }) => isComplete) ? null : bodies[0]
    for (const body of bodies) {
      if (body.isComplete) continue
      if (full && body !== first) body.stream.pause()
      else body.stream.resume()
    }
  }

  /**
   * Bodies are parsed at one go, each after it has waited for this. Before the next, the event loop has as long for others
   * as that took.
   */
  private async waitForTurn(): Promise<void> {
    const before = this.free
    let pass = () => {}
    this.free = new Promise((resolve) => {
      pass = resolve
    })
    await before
    const began = performance.now()
    setImmediate(() => setTimeout(pass, performance.now() - began))
  }
}
