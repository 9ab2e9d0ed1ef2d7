/** Chance that can be repeated: the same seed gives the same. (xorshift32) */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0 || 1
  }

  /** A whole number from 0, and below `below`. */
  next(below: number): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x
    return (x >>> 0) % below
  }

  pick<T>(list: readonly T[]): T {
    return list[this.next(list.length)] as T
  }
}
