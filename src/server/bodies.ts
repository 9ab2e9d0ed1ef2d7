import type { IncomingMessage } from 'node:http'
import { readBody } from './body.ts'

/** Smaller bodies never wait. */
const LARGE = 256 * 1024
/** What large bodies hold together, in bytes, before others of them are left on the wire. */
const MOST_HELD = 256 * 1024 * 1024

interface Place {
  stream: IncomingMessage
  held: number
  /** All of it is here, and what it holds is free once it is answered. */
  whole: boolean
}

/** Large bodies under way: they share memory and time, so that many of them at once don't take either from others. */
export class Bodies {
  private readonly places = new Set<Place>()
  private held = 0
  private free: Promise<void> = Promise.resolve()

  /** Reads a body and works on it. @throws Problem as `readBody` does, and what `work` throws */
  async read<T>(stream: IncomingMessage, mostBytes: number, work: (body: Buffer) => Promise<T>): Promise<T> {
    const place: Place = { stream, held: 0, whole: false }
    try {
      const body = await readBody(stream, mostBytes, (bytes) => this.hold(place, bytes))
      place.whole = true
      if (body.length > LARGE) await this.turn()
      return await work(body)
    } finally {
      this.leave(place)
    }
  }

  private hold(place: Place, bytes: number) {
    if (bytes <= LARGE) return
    this.places.add(place)
    this.held += bytes - place.held
    place.held = bytes
    this.flow()
  }

  private leave(place: Place) {
    if (!this.places.delete(place)) return
    this.held -= place.held
    this.flow()
  }

  /** While there is no room, nobody sends; but the first, where none is whole and room would never come. */
  private flow() {
    const full = this.held > MOST_HELD
    const places = [...this.places]
    const first = places.some(({ whole }) => whole) ? null : places[0]
    for (const place of places) {
      if (place.whole) continue
      if (full && place !== first) place.stream.pause()
      else place.stream.resume()
    }
  }

  /**
   * Bodies are parsed at one go, each after it has waited for this. Before the next, the event loop has as long for others
   * as that took.
   */
  private async turn(): Promise<void> {
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
