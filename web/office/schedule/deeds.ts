import type { Live } from '../../client/index.ts'
import { Observable } from '../observable.ts'

/** All that one act has written; it is put back as a whole. */
export interface Deed {
  callId: string
  says: string
}

interface Stacks {
  done: readonly Deed[]
  undone: readonly Deed[]
}

interface Call {
  id: string
  summary: string
  records: { record: string }[]
  reverses: string | null
  reversed_by: string | null
}

const atMost = 50

/** What this person has done and can put back, newest last. The server keeps it, so that it outlives the page. */
export class Deeds {
  readonly #live: Live
  readonly stacks = new Observable<Stacks>({ done: [], undone: [] })

  constructor(live: Live) {
    this.#live = live
  }

  /** What was done before this page was opened. */
  async restore(): Promise<void> {
    const query = { mine: true, per_page: atMost }
    const { body } = await this.#live.client.request<{ calls: Call[] }>('GET', 'calls', { query })
    const open = body.calls
      .filter(({ records, reversed_by }) => !reversed_by && records.some(({ record }) => record === 'job'))
      .toReversed()
    const deed = ({ id, summary }: Call): Deed => ({ callId: id, says: summary })
    const done = open.filter(({ reverses }) => !reverses).map(deed)
    // What was undone is done again only as long as nothing else was done since.
    const since = open.findLastIndex(({ reverses }) => !reverses)
    const undone = open.slice(since + 1).map(deed)
    if (this.stacks.get().done.length === 0) this.#set({ done, undone })
  }

  add(callId: string, says: string) {
    this.#set({ done: [...this.stacks.get().done, { callId, says }], undone: [] })
  }

  /** @returns what was undone, null when there is nothing; @throws ApiError when somebody has changed the same since */
  async undo(): Promise<string | null> {
    const { done, undone } = this.stacks.get()
    const deed = done.at(-1)
    if (!deed) return null
    const reversal = await this.#reverse(deed)
    this.#set({ done: done.slice(0, -1), undone: [...undone, reversal] })
    return deed.says
  }

  async redo(): Promise<string | null> {
    const { done, undone } = this.stacks.get()
    const deed = undone.at(-1)
    if (!deed) return null
    const again = await this.#reverse(deed)
    this.#set({ done: [...done, again], undone: undone.slice(0, -1) })
    return deed.says
  }

  async #reverse({ callId, says }: Deed): Promise<Deed> {
    const reversal = await this.#live.client.request('POST', `calls/${callId}/reversal`)
    return { callId: reversal.callId, says }
  }

  #set({ done, undone }: Stacks) {
    this.stacks.set({ done: done.slice(-atMost), undone: undone.slice(-atMost) })
  }
}
