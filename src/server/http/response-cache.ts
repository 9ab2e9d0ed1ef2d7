import { memoize, type RecordType } from '#fields'
import type { Reader } from '#store/store'
import { type ApiResponse, metadataOf } from './response.ts'

/** An answer whose body is a text. */
type Shown = ApiResponse & { body: string }

/** A request, as far as its answer depends on it. */
interface Asked {
  call: { replica: Reader }
  route: { record: RecordType }
  format: { name: string }
  target: string
}

/** What all answers have together before they are forgotten, and the largest that is kept. */
const MAX_CHARACTERS = 32 << 20
const MAX_RESPONSE_CHARACTERS = 1 << 20

/**
 * Answers to reading, given again to who asks for the same while nothing was written in the account. Each is kept with
 * what reads as of a place in the account's journal, and gone when that has grown: so none is stale, whichever process
 * wrote. (docs/decisions/0014-answers-and-the-journal.md)
 */
export class ResponseCache {
  private entries = new WeakMap<Reader, Map<string, ApiResponse>>()
  private characters = 0

  /** What `make` reads from the caller's replica, or what it answered before. */
  async respond({ call: { replica }, route, format, target }: Asked, make: () => Promise<Shown>): Promise<ApiResponse> {
    // What references lead to may change past the journal.
    const lasts = replica.position !== null && isJournaled(route.record) && !target.includes('include')
    const name = `${format.name} ${target}`
    const known = lasts ? this.entries.get(replica)?.get(name) : undefined
    if (known) return known
    const made = await make()
    const answer = { ...made, metadata: metadataOf(made.body) }
    if (lasts && made.body.length <= MAX_RESPONSE_CHARACTERS) this.keep(replica, name, answer)
    return answer
  }

  private keep(replica: Reader, name: string, answer: Shown) {
    this.characters += name.length + answer.body.length
    // Those of before a write went by themselves, and count on until then.
    if (this.characters > MAX_CHARACTERS) {
      this.entries = new WeakMap()
      this.characters = name.length + answer.body.length
    }
    const answers = this.entries.get(replica) ?? new Map<string, ApiResponse>()
    this.entries.set(replica, answers.set(name, answer))
  }
}

/** Whether all that is shown of a record is in the journal: it is no log, and none of its fields changes past it. */
const isJournaled = memoize(
  ({ without, fields }: RecordType) =>
    !without?.includes('create') && Object.values(fields).every(({ unjournaled }) => !unjournaled),
)
