type Key = string | number | null
type Listener = () => void

/** How rows are found beside their id. */
export interface IndexOptions<T> {
  key: (row: T) => Key
  /** Order of the rows of one key; without it, that of their arrival. */
  order?: (a: T, b: T) => number
}

interface Index<T> extends IndexOptions<T> {
  ids: Map<Key, Set<T extends { id: infer Id } ? Id : never>>
  /** What `where` answered, until a row of that key changes. */
  answered: Map<Key, readonly T[]>
  listeners: Map<Key, Set<Listener>>
}

interface Patch<T> {
  key: string
  changes: Partial<T>
}

const none: readonly never[] = []

/**
 * The rows of one type of record, as this client knows them. What a person has just done lies over what the server has
 * said (`patch`), until the server has said what became of it (`unpatch`). Listeners are woken for the rows and keys
 * that changed and no others; what `get` and `where` answer is the same object until then, as React wants it.
 */
export class Collection<T extends { id: string | number }, Names extends string = never> {
  readonly #known = new Map<T['id'], T>()
  readonly #shown = new Map<T['id'], T>()
  readonly #patches = new Map<T['id'], Patch<T>[]>()
  readonly #indexes = new Map<string, Index<T>>()
  readonly #rowListeners = new Map<T['id'], Set<Listener>>()
  readonly #anyListeners = new Set<Listener>()
  #version = 0
  /** Listeners to wake when the outermost batch ends. */
  #waking: Set<Listener> | null = null

  constructor(indexes: { [name in Names]: IndexOptions<T> } = {} as never) {
    for (const [name, options] of Object.entries<IndexOptions<T>>(indexes))
      this.#indexes.set(name, { ...options, ids: new Map(), answered: new Map(), listeners: new Map() })
  }

  get size() {
    return this.#shown.size
  }

  /** Grows with every change. */
  get version() {
    return this.#version
  }

  get(id: T['id']): T | undefined {
    return this.#shown.get(id)
  }

  /** As the server has it, without what waits. */
  known(id: T['id']): T | undefined {
    return this.#known.get(id)
  }

  values(): IterableIterator<T> {
    return this.#shown.values()
  }

  where(name: Names, key: Key): readonly T[] {
    const index = this.#index(name)
    const answered = index.answered.get(key)
    if (answered) return answered
    const ids = index.ids.get(key)
    if (!ids) return none
    const rows = Array.from(ids, (id) => this.#shown.get(id) as T)
    if (index.order) rows.sort(index.order)
    index.answered.set(key, rows)
    return rows
  }

  keys(name: Names): Key[] {
    return [...this.#index(name).ids.keys()]
  }

  put(rows: Iterable<T>) {
    this.batch(() => {
      for (const row of rows) {
        this.#known.set(row.id, row)
        this.#show(row.id)
      }
    })
  }

  remove(ids: Iterable<T['id']>) {
    this.batch(() => {
      for (const id of ids) {
        this.#known.delete(id)
        this.#show(id)
      }
    })
  }

  /** These rows and no others. */
  replace(rows: readonly T[]) {
    const kept = new Set(rows.map(({ id }) => id))
    this.batch(() => {
      this.remove([...this.#known.keys()].filter((id) => !kept.has(id)))
      this.put(rows)
    })
  }

  /** What a write is expected to make of a row. */
  patch(key: string, id: T['id'], changes: Partial<T>) {
    this.batch(() => {
      this.#patches.set(id, [...(this.#patches.get(id) ?? []), { key, changes }])
      this.#show(id)
    })
  }

  /** The write was kept and is known, or was refused: what it was expected to do is forgotten. */
  unpatch(key: string) {
    this.batch(() => {
      for (const [id, patches] of this.#patches) {
        const left = patches.filter((patch) => patch.key !== key)
        if (left.length === patches.length) continue
        if (left.length > 0) this.#patches.set(id, left)
        else this.#patches.delete(id)
        this.#show(id)
      }
    })
  }

  /** The names of the writes of which a row waits to hear. */
  waiting(id: T['id']): readonly string[] {
    return this.#patches.get(id)?.map(({ key }) => key) ?? none
  }

  /** Listeners are woken once, when all of it is done. */
  batch(work: () => void) {
    if (this.#waking) return work()
    const waking = new Set<Listener>()
    this.#waking = waking
    try {
      work()
    } finally {
      this.#waking = null
      for (const listener of waking) listener()
    }
  }

  /** Woken when the row changes, comes or goes. @returns what ends it */
  onRow(id: T['id'], listener: Listener) {
    return listen(this.#rowListeners, id, listener)
  }

  /** Woken when a row of that key changes, comes or goes. @returns what ends it */
  onKey(name: Names, key: Key, listener: Listener) {
    return listen(this.#index(name).listeners, key, listener)
  }

  /** Woken by every change. @returns what ends it */
  onAny(listener: Listener) {
    this.#anyListeners.add(listener)
    return () => void this.#anyListeners.delete(listener)
  }

  #index(name: string): Index<T> {
    const index = this.#indexes.get(name)
    if (!index) throw new Error(`There is no index ${name}`)
    return index
  }

  /** Brings what is shown of a row, and where it is found, in line with what is known of it. */
  #show(id: T['id']) {
    const before = this.#shown.get(id)
    const known = this.#known.get(id)
    const patches = this.#patches.get(id)
    const now = known && patches ? Object.assign({}, known, ...patches.map(({ changes }) => changes)) : known
    if (now === before) return
    if (now) this.#shown.set(id, now)
    else this.#shown.delete(id)
    this.#version++
    for (const index of this.#indexes.values()) this.#place(index, id, before, now)
    this.#wake(this.#rowListeners.get(id))
    this.#wake(this.#anyListeners)
  }

  #place(index: Index<T>, id: T['id'], before: T | undefined, now: T | undefined) {
    const [old, fresh] = [before && index.key(before), now && index.key(now)]
    if (before && old !== undefined && (!now || old !== fresh)) {
      const ids = index.ids.get(old)
      ids?.delete(id as never)
      if (ids?.size === 0) index.ids.delete(old)
      this.#touch(index, old)
    }
    if (!now || fresh === undefined) return
    const ids = index.ids.get(fresh)
    if (ids) ids.add(id as never)
    else index.ids.set(fresh, new Set([id as never]))
    this.#touch(index, fresh)
  }

  #touch(index: Index<T>, key: Key) {
    index.answered.delete(key)
    this.#wake(index.listeners.get(key))
  }

  #wake(listeners: Set<Listener> | undefined) {
    for (const listener of listeners ?? none) this.#waking?.add(listener)
  }
}

function listen<K>(listeners: Map<K, Set<Listener>>, key: K, listener: Listener) {
  const own = listeners.get(key) ?? new Set()
  listeners.set(key, own.add(listener))
  return () => {
    own.delete(listener)
    if (own.size === 0 && listeners.get(key) === own) listeners.delete(key)
  }
}
