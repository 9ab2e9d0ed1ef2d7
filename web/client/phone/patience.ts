/** Tells when something that is waited for hasn't come for so long. */
export class Patience {
  readonly #ms: number
  readonly #onEnd: () => void
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(ms: number, onEnd: () => void) {
    this.#ms = ms
    this.#onEnd = onEnd
  }

  /** From now on it is waited for anew. */
  begin(): void {
    this.end()
    this.#timer = setTimeout(this.#onEnd, this.#ms)
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
