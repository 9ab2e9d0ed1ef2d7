import type { Desk } from './desk.ts'
import type { Lifted } from './drag/target.ts'

/** What of a card follows from what is done here, and not from its job. */
export interface Flags {
  isSelected: boolean
  isFocused: boolean
  isHeld: boolean
  /** It waits here to be sent. */
  isWaiting: boolean
  /** Initials of who changed it a moment ago. */
  mover: string | null
  /** Who else has it in their hand. */
  holder: string | null
  /** Messages about it that are new to who looks. */
  unread: number
  isConflicted: boolean
}

const plain: Flags = {
  isSelected: false,
  isFocused: false,
  isHeld: false,
  isWaiting: false,
  mover: null,
  holder: null,
  unread: 0,
  isConflicted: false,
}

/** The flags of each card, which wake that card alone. */
export class CardFlags {
  readonly #flags = new Map<number, Flags>()
  readonly #sources = new Map<keyof Flags, () => (id: number) => unknown>()
  readonly #listeners = new Map<number, Set<() => void>>()

  constructor(desk: Desk) {
    const { selection, focus, touched, held, unread, conflicted, lift, board } = desk
    const among = (ids: () => Iterable<number>) => {
      const now = new Set(ids())
      return (id: number) => now.has(id)
    }
    this.#follow(selection.subscribe, 'isSelected', () => among(() => selection.get().ids))
    this.#follow(focus.subscribe, 'isFocused', () => (id) => focus.get()?.job === id)
    this.#follow(lift.lifted.subscribe, 'isHeld', () => among(() => heldBy(lift.lifted.get())))
    this.#follow(touched.subscribe, 'mover', () => (id) => touched.get().get(id) ?? null)
    this.#follow(held.subscribe, 'holder', () => (id) => held.get().get(id) ?? null)
    this.#follow(unread.subscribe, 'unread', () => (id) => unread.get().get(id) ?? 0)
    this.#follow(conflicted.subscribe, 'isConflicted', () => (id) => conflicted.get().has(id))
    this.#follow(
      (listener) => board.live.onChange(listener),
      'isWaiting',
      () => {
        const waiting = new Set(board.live.waiting.flatMap(({ key, state }) => (state === 'waiting' ? [key] : [])))
        return (id) => waiting.size > 0 && board.jobs.waiting(id).some((key) => waiting.has(key))
      },
    )
  }

  readonly get = (id: number): Flags => {
    const known = this.#flags.get(id)
    if (known) return known
    const made = { ...plain, ...Object.fromEntries([...this.#sources].map(([name, now]) => [name, now()(id)])) }
    this.#flags.set(id, made)
    return made
  }

  readonly subscribe = (id: number, listener: () => void) => {
    const own = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0 && this.#listeners.get(id) === own) this.#listeners.delete(id)
    }
  }

  /** Brings one flag of all cards that were ever drawn in line with what it follows from. */
  #follow<Name extends keyof Flags>(
    subscribe: (listener: () => void) => unknown,
    name: Name,
    now: () => (id: number) => Flags[Name],
  ) {
    this.#sources.set(name, now)
    subscribe(() => {
      const flagOf = now()
      for (const id of this.#flags.keys()) this.#set(id, name, flagOf(id))
    })
  }

  #set<Name extends keyof Flags>(id: number, name: Name, value: Flags[Name]) {
    const before = this.get(id)
    if (before[name] === value) return
    this.#flags.set(id, { ...before, [name]: value })
    for (const listener of this.#listeners.get(id) ?? []) listener()
  }
}

/** What is copied stays where it is. */
const heldBy = (lifted: Lifted | null) => (lifted && !lifted.copies ? lifted.jobs.map(({ id }) => id) : [])
