type Id = string | number

/** What comes within this time is asked for at once. */
const GATHER_MS = 20
/** Ids in one address: what proxies take is about 8 KB. */
const MAX_IDS = 200

/** Reads rows again by their ids, together, and one request after the other, so that what comes last is the newest. */
export class Refresh {
  readonly #read: (ids: Id[]) => Promise<void>
  #ids = new Set<Id>()
  #next: Promise<void> | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(read: (ids: Id[]) => Promise<void>) {
    this.#read = read
  }

  /** @returns when the rows have been read, by a request that began after this was asked */
  ask(ids: Iterable<Id>): Promise<void> {
    for (const id of ids) this.#ids.add(id)
    if (!this.#next) {
      const last = this.#last
      this.#next = new Promise((resolve) => setTimeout(resolve, GATHER_MS)).then(() => last).then(() => this.#run())
      // What failed is read again with the next change, or when the connection is back.
      this.#last = this.#next.catch(() => {})
    }
    return this.#next
  }

  async #run() {
    const ids = [...this.#ids]
    this.#ids.clear()
    this.#next = null
    for (let at = 0; at < ids.length; at += MAX_IDS) await this.#read(ids.slice(at, at + MAX_IDS))
  }
}
