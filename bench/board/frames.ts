/** The middle, the slow and the slowest of some measurements, in milliseconds. */
export interface Spread {
  p50: number
  p95: number
  p99: number
  count: number
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count: values.length }
}

export const round = (value: number) => Math.round(value * 10) / 10

/**
 * In the page: how long each frame keeps the main thread, from its first callback until style, layout and paint are done.
 * `__frames.start()` begins, `__frames.stop()` answers the milliseconds of each.
 */
export const countFrames = `
window.__frames = {
  start() {
    const took = []
    let goes = true
    const { port1, port2 } = new MessageChannel()
    let began = 0
    port2.onmessage = () => took.push(performance.now() - began)
    const frame = () => {
      if (!goes) return
      began = performance.now()
      port1.postMessage(null)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    this.stop = () => { goes = false; return took }
  },
}
// When the first card of a job was in the page, in milliseconds from the start of the page.
new MutationObserver((_, all) => {
  if (!document.querySelector('.lanes .job')) return
  window.__cardsAt = performance.now()
  all.disconnect()
}).observe(document, { subtree: true, childList: true })
`
