import type { Call } from '#call'
import type { RecordType } from '#fields'

/** One thing that breaks planning in silence. */
export interface Check {
  name: string
  level: 'stops' | 'soon' | 'look'
  /** What is found, as it goes on from a number of records. */
  summary: string
  record: RecordType
  /** The call that mends one of them; `{id}` stands for its id. */
  mend: { method: string; path: string }
  /** The ids of the records of which it is so. */
  find(call: Call): Promise<(number | string)[]>
}

/** Rows of a type that are looked at, at most. */
export const MAX_ROWS = 10_000
