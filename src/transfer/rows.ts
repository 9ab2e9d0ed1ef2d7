import { Readable } from 'node:stream'
import { isObject, type RawObject, type RecordType } from '#fields'
import { type FileRow, readCsv } from '#formats/csv'
import { codeOf, Problem } from '#problem'

export type FileFormat = 'csv' | 'json'

/** Characters of a JSON file that is one list, at most: it is read whole. */
const MAX_LIST_CHARACTERS = 64 * 1024 * 1024

/**
 * The rows of a file of one record: CSV; or JSON, an object a line, or a list as the API answers it.
 * @throws Problem malformed, invalid
 */
export function readRows(record: RecordType, format: FileFormat, input: Readable): AsyncGenerator<FileRow> {
  const text = Readable.from(decodeUtf8(input))
  return format === 'csv' ? readCsv(record, text) : readJson(record, text)
}

async function* decodeUtf8(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of input) yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (codeOf(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new Problem('malformed', 'The file is not valid UTF-8', { cause: error })
  } finally {
    input.destroy()
  }
}

async function* readJson(record: RecordType, input: Readable): AsyncGenerator<FileRow> {
  let line = 0
  for await (const text of linesOf(input)) {
    line++
    if (text.trim() === '') continue
    const value = parseLine(text)
    const listed = isObject(value) ? value[record.plural] : value
    if (Array.isArray(listed)) for (const [i, item] of listed.entries()) yield rowOf(line + i, item)
    else yield rowOf(line, value)
  }
}

/** Lines end at line feeds alone: JSON may hold the other separators of Unicode. A file that begins a list is one line. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = ''
  let isList: boolean | null = null
  for await (const chunk of input) {
    rest += chunk
    isList ??= rest.trimStart() === '' ? null : rest.trimStart().startsWith('[')
    if (isList && rest.length > MAX_LIST_CHARACTERS)
      throw new Problem('too_large', 'The list is too large: send one object per line')
    if (isList !== false) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const rowOf = (line: number, value: unknown): FileRow =>
  isObject(value)
    ? { line, raw: value as RawObject }
    : { line, raw: {}, problem: new Problem('malformed', 'The line is not a JSON object') }
