import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { App } from '#app'
import { systemCall } from '#call'
import type { RawRow, RecordType } from '#fields'
import type { Account } from '#records/account'
import { schemaOf } from '#store/schema'
import { addressOf, make as makeAt, type WireDraft } from '#test/builders'
import type { Answered } from '#test/client'
import type { TestAccount } from '#test/test-app'

/** Makes a record over the wire, from its example and what is said here; answers it as the JSON twin shows it. */
export const make = async (account: TestAccount, name: string, more: WireDraft = {}, key?: string) =>
  (await makeAt(account, addressOf(name), more, key === undefined ? {} : { key })).row

/** A document as it travels: the declaration, two spaces a level, a line's end after every line. */
export function xml(pieces: TemplateStringsArray, ...values: unknown[]): string {
  const lines = String.raw({ raw: pieces }, ...values).split('\n')
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  const body = lines.map((line) => line.slice(margin)).filter((line) => line.trim() !== '')
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body.join('\n')}\n`
}

const styles: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'ZULU'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/g, 'OFFSET'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'PLAIN'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, 'LOCAL'],
]

/** The text with each instant replaced by the name of its style; all of them must be of this minute. */
export function withoutTimes(text: string): string {
  return styles.reduce(
    (result, [form, name]) =>
      result.replace(form, (instant) => {
        const age = Date.now() - Date.parse(instant)
        assert.ok(age > -1000 && age < 60_000, `${instant} is now`)
        return name
      }),
    text,
  )
}

/** The whole body, byte for byte: instants by the names of their styles, ids as the test knows them. */
export function assertBody(answer: Pick<Answered, 'text'>, expected: string): void {
  assert.equal(withoutTimes(answer.text), expected)
}

/** Status and sentences of a refusal. */
export function assertRefused(answer: Answered, status: number, ...sentences: string[]): void {
  assert.equal(answer.status, status, answer.text)
  if (sentences.length > 0) assert.deepEqual(answer.errors, sentences)
  else assert.notEqual(answer.errors.length, 0)
}

export function assertStatus(answer: Answered, status: number): Answered {
  assert.equal(answer.status, status, answer.text)
  return answer
}

export type Headers = { [name: string]: string | RegExp | undefined }

/** Headers by their values or what these look like; undefined for those that must not be there. */
export function assertHeaders(answer: Answered, expected: Headers): void {
  for (const [name, value] of Object.entries(expected)) {
    const actual = answer.headers[name.toLowerCase()]
    const shown = `${name} is ${actual} on a ${answer.status}`
    if (value instanceof RegExp) assert.match(String(actual), value, shown)
    else assert.equal(actual, value, shown)
    if (actual === undefined) continue
    // Old clients look for the names as the contract spells them.
    assert.ok(
      answer.rawHeaders.some((raw, i) => i % 2 === 0 && raw === name),
      `${name} is spelled so`,
    )
  }
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
export const uuidForm = new RegExp(`^${uuid}$`)

/** What every answer carries, whatever its status. (docs/contract.md#headers) */
export const onEveryAnswer: Headers = {
  Date: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  Status: /^\d{3} [A-Z][A-Za-z ]+$/,
  'X-Request-Id': /^[A-Za-z0-9_@-]{1,255}$/,
  'X-Unique-ID': new RegExp(`^${uuid}$`),
  'X-Runtime': /^\d+\.\d{6}$/,
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '1; mode=block',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': /\S/,
}

/** What a body in XML carries when it is a record or a list. */
export const onRecords: Headers = {
  ...onEveryAnswer,
  'Content-Type': 'application/xml; charset=utf-8',
  'Content-Encoding': 'gzip',
  Vary: 'Accept-Encoding',
  ETag: /^W\/"[^"]+"$/,
  'Cache-Control': 'max-age=0, private, must-revalidate',
}

/** What an answer to a create carries, beside its Location. */
export const onCreated: Headers = {
  ...onRecords,
  Status: '201 Created',
  'Transfer-Encoding': 'chunked',
  'Content-Length': undefined,
}

/** What an answer to a read carries. */
export const onRead: Headers = {
  ...onRecords,
  Status: '200 OK',
  'Content-Length': /^\d+$/,
  'Transfer-Encoding': undefined,
  Location: undefined,
}

/** Writes as the server itself at a given moment: what no caller may say, or not at that time. */
export async function writeAt(
  app: App,
  account: Account,
  record: RecordType,
  draft: RawRow,
  { before, now }: { before?: RawRow; now?: string } = {},
): Promise<RawRow> {
  const { row } = await app.mutations.execute(systemCall(app.store, account, 'test', now), {
    record,
    action: before ? 'update' : 'create',
    ...(before && { target: (tx) => tx.find(record, before.id) }),
    draft,
  })
  return row
}

/** Everything that is kept, table by table: two of these are equal when nothing was written in between. */
export async function everything(app: App): Promise<{ [table: string]: RawRow[] }> {
  const kept: { [table: string]: RawRow[] } = {}
  for (const { name, key } of schemaOf(app.records)) {
    // PostgreSQL takes numbers outside of the transaction, and one that was taken in vain is no record.
    if (name === 'counters' && app.store.database.dialect.name === 'postgres') continue
    // What becomes of a notice is noted as it is sent, on the side.
    const columns = name === 'notices' ? 'account_id, id, user_id, kind' : '*'
    const sql = `select ${columns} from ${name} order by ${key.join(', ')}`
    // When a key was last used is noted on the side.
    kept[name] = (await app.store.database.all({ sql, parameters: [] })).map((row) => ({ ...row, last_used_at: null }))
  }
  return kept
}

/** Asserts that a piece of work writes nothing at all: no record, no pair, no event, no number taken. */
export async function assertNothingWritten<T>(app: App, work: () => Promise<T>): Promise<T> {
  const before = await everything(app)
  const result = await work()
  assert.deepEqual(await everything(app), before)
  return result
}

export interface RawAnswer {
  status: number
  head: string
  body: string
}

/** Writes bytes on a bare connection and reads until the server closes it, or until `until` is satisfied. */
export function onSocket(
  base: string,
  talk: (write: (text: string | Buffer) => void, end: () => void, received: () => string) => void | Promise<void>,
  { until = () => false, timeoutMs = 20_000 }: { until?: (received: string) => boolean; timeoutMs?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`nothing ended the connection; it said ${JSON.stringify(received)}`))
    }, timeoutMs)
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      received += text
      if (until(received)) done()
    })
    // The server may close while we still write; what it said before counts.
    socket.on('error', () => {})
    socket.on('close', done)
    socket.on('connect', () => {
      Promise.resolve(
        talk(
          (text) => void socket.write(text),
          () => void socket.end(),
          () => received,
        ),
      ).catch(reject)
    })
  })
}

/** The last answer of what a bare connection received. */
export function parseRaw(received: string): RawAnswer {
  const start = received.lastIndexOf('HTTP/1.1 ')
  const end = received.indexOf('\r\n\r\n', start)
  return {
    status: Number(received.slice(start + 9, start + 12)),
    head: received.slice(start, end),
    body: received.slice(end + 4),
  }
}

/** Sends a request exactly as a client was seen to, and reads what comes back until the connection ends. */
export async function replay(base: string, request: string): Promise<RawAnswer & { text: string; location: string }> {
  const [head = '', ...rest] = request.split('\n\n')
  const body = Buffer.from(rest.join('\n\n'))
  const lines = head.replace(/\n/g, '\r\n').replace(/Content-Length: .*/, `Content-Length: ${body.length}`)
  const received = await onSocket(base, (write) => write(Buffer.concat([Buffer.from(`${lines}\r\n\r\n`), body])))
  const answer = parseRaw(received)
  const bytes = Buffer.from(
    /transfer-encoding: chunked/i.test(answer.head) ? joined(answer.body) : answer.body,
    'latin1',
  )
  const zipped = /content-encoding: gzip/i.test(answer.head) && bytes.length > 0
  return {
    ...answer,
    text: (zipped ? gunzipSync(bytes) : bytes).toString(),
    location: /\r\nlocation: (\S+)/i.exec(answer.head)?.[1] ?? '',
  }
}

/** The chunks of a body, put together. */
function joined(chunks: string): string {
  const end = chunks.indexOf('\r\n')
  const size = Number.parseInt(chunks.slice(0, end), 16)
  return size > 0 ? chunks.slice(end + 2, end + 2 + size) + joined(chunks.slice(end + 4 + size)) : ''
}
