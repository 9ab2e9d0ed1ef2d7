import type { Call } from '#call'

/** A row that nobody keeps, as it is told. */
export interface LiveRow {
  id: number | string
  text: string
}

/** What may be followed beside the journal. (docs/api/journal.md#what-nobody-keeps) */
export interface LiveTopic {
  /** Woken when there may be something to tell of an account. Answers how to stop. */
  onChange(listener: (account: number) => void): () => void
  /** What one stream is told from here on: the next message each time it is asked; null where nothing has changed. */
  follow(): (call: Call) => Promise<string | null>
}

/** A message without a place in the journal: whoever resumes is told the whole anew. */
export const messageOf = (topic: string, whole: boolean, rows: LiveRow[], gone: LiveRow['id'][] = []) =>
  `event: ${topic}\ndata: {"whole":${whole},"rows":[${rows.map(({ text }) => text)}],"gone":${JSON.stringify(gone)}}\n\n`

/** Tells what came, changed and went since the last time. `find` is asked only when `keyOf` is another than before. */
export function followRows(
  topic: string,
  keyOf: (call: Call) => Promise<string>,
  find: (call: Call, key: string) => Promise<LiveRow[]>,
): (call: Call) => Promise<string | null> {
  let known: Map<LiveRow['id'], string> | null = null
  let lastKey = ''
  return async (call) => {
    const key = await keyOf(call)
    if (known !== null && key === lastKey) return null
    lastKey = key
    const before = known
    const rows = await find(call, key)
    const current = new Map(rows.map(({ id, text }) => [id, text]))
    known = current
    const changed = rows.filter(({ id, text }) => before?.get(id) !== text)
    const gone = [...(before?.keys() ?? [])].filter((id) => !current.has(id))
    if (before && changed.length === 0 && gone.length === 0) return null
    return messageOf(topic, before === null, changed, gone)
  }
}
