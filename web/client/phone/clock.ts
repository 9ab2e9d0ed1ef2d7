/** `Date` tells whole seconds, and an answer takes some: less than this may be no difference at all. */
const TOLERANCE_MS = 3000

/** The server's time, by the device's clock and how far that was off when the server last answered. */
export class Clock {
  readonly deviceMs: () => number
  /** What to add to the device's clock. Kept, so that a phone that starts without a connection knows it. */
  offsetMs: number
  onOffset: (offsetMs: number) => void = () => {}

  constructor(deviceMs: () => number = Date.now, offsetMs = 0) {
    this.deviceMs = deviceMs
    this.offsetMs = offsetMs
  }

  nowMs(): number {
    return this.deviceMs() + this.offsetMs
  }

  now(): string {
    return new Date(this.nowMs()).toISOString()
  }

  hear(date: string | null, sentAtMs: number): void {
    const serverMs = Date.parse(date ?? '')
    if (Number.isNaN(serverMs)) return
    const offsetMs = Math.round(serverMs + 500 - (sentAtMs + this.deviceMs()) / 2)
    if (Math.abs(offsetMs - this.offsetMs) <= TOLERANCE_MS) return
    this.offsetMs = Math.abs(offsetMs) <= TOLERANCE_MS ? 0 : offsetMs
    this.onOffset(this.offsetMs)
  }
}
