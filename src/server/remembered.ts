import { once, type RecordType } from '#fields'
import type { Reader } from '#store/store'
import { type Answer, derivedOf } from './answer.ts'
import type { ApiRequest } from './request.ts'

/** What all answers have together before they are forgotten, and the largest that is kept. */
const MOST_CHARACTERS = 32 << 20
const LARGEST = 1 << 20

/**
 * Answers to reading, given again to who asks for the same while nothing was written in the account. Each is kept with
 * what reads as of a place in the account's journal, and gone when that has grown: so none is stale, whichever process
 * wrote. (docs/decisions/0014-answers-and-the-journal.md)
 */
export class Remembered {
  private answers = new WeakMap<Reader, Map<string, Answer>>()
  private characters = 0

  /** The answer 200 with what `print` makes of the caller's `near`; or as it was made before. */
  async answer({ call: { near }, route, format, target }: ApiRequest, print: () => Promise<string>): Promise<Answer> {
    const lasts = near.place !== null && isInJournal(route.record)
    const name = `${format.name} ${target}`
    const known = lasts ? this.answers.get(near)?.get(name) : undefined
    if (known) return known
    const body = await print()
    const answer = { status: 200, headers: {}, body, derived: derivedOf(body) }
    if (lasts && body.length <= LARGEST) this.keep(near, name, answer)
    return answer
  }

  private keep(near: Reader, name: string, answer: Answer) {
    this.characters += name.length + answer.body.length
    // Those of before a write went by themselves, and count on until then.
    if (this.characters > MOST_CHARACTERS) {
      this.answers = new WeakMap()
      this.characters = name.length + answer.body.length
    }
    const answers = this.answers.get(near) ?? new Map<string, Answer>()
    this.answers.set(near, answers.set(name, answer))
  }
}

/** Whether all that is shown of a record is in the journal: it is no log, and none of its fields changes past it. */
const isInJournal = once(
  ({ without, fields }: RecordType) =>
    !without?.includes('create') && Object.values(fields).every(({ quiet }) => !quiet),
)
