import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Answered, Request } from './client.ts'
import type { Element } from './element.ts'

/**
 * The examples of docs/api: a block `http` is a request and, from the line that begins with `HTTP/1.1`, its answer.
 *
 * - `…` is what differs or is left out: in a text any text, as a value any value, at the end of an object or list any
 *   more of them, on a line of its own (XML) any lines. Everything else must be there, and nothing more.
 * - `{tag.id}` is the id of the last `tag` that was answered, `{job.steps[0].id}` that of its first step. `{base}` is
 *   the address of the server, `{cookie}` and `{etag}` what the last answers that had one said.
 * - A request goes with the key of the account, unless it has a cookie or a key of its own. `< photo.jpg` in place of a
 *   body is that file; what an image looks like is not compared.
 */
export interface Exchange {
  /** Line of the page. */
  line: number
  request: Message
  answer: Message
  /** What the operator sets in the account before it: `<!-- settings: {"asks_acceptance": true} -->`. */
  settings: { [name: string]: unknown }[]
}

/** Its first line, its headers by their names in lower case, and its body. */
interface Message {
  first: string
  headers: { [name: string]: string }
  body: string
}

/** What earlier answers said, by the names of their roots. */
export interface Known {
  [name: string]: unknown
}

export function exchangesOf(page: string): Exchange[] {
  let end = 0
  return [...page.matchAll(/^```http\n(.*?)^```$/gms)].map(({ 0: whole, 1: block = '', index }) => {
    const [request = '', answer, ...more] = block.split(/^(?=HTTP\/1\.1 )/m)
    const line = page.slice(0, index).split('\n').length
    assert.ok(answer && more.length === 0, `line ${line}: an example is one request and one answer`)
    const settings = [...page.slice(end, index).matchAll(/^<!-- settings: (.*) -->$/gm)]
    end = index + whole.length
    return {
      line,
      request: messageOf(request),
      answer: messageOf(answer),
      settings: settings.map(([, said = '']) => JSON.parse(said)),
    }
  })
}

function messageOf(text: string): Message {
  const [head = '', ...rest] = text.split('\n\n')
  const [first = '', ...lines] = head.trim().split('\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.replace(/^.*?: */, '')]),
  )
  return { first, headers, body: rest.join('\n\n').trim() }
}

/** Asks what an example asks, compares, and keeps what was answered. */
export async function follow(
  { request, answer }: Exchange,
  ask: Request,
  known: Known,
  files: { [name: string]: Buffer },
): Promise<void> {
  const [method = '', path = ''] = filled(request.first, known).split(' ')
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, filled(value, known)]),
  )
  const text = filled(request.body, known)
  const body = text.startsWith('< ') ? files[text.slice(2)] : text || undefined
  if (typeof body === 'string') headers['content-type'] ??= /^[{[]/.test(body) ? 'application/json' : 'application/xml'
  const own = headers.cookie || headers.authorization || path.includes('api_key=')
  const got = await ask(method, path, { body, headers, ...(own && { key: null }) })
  const what = `${request.first} was answered with ${got.status}\n${shown(got)}\n`

  const [, status] = answer.first.split(' ')
  assert.equal(String(got.status), status, what)
  for (const [name, value] of Object.entries(answer.headers))
    assert.match(String(got.headers[name]), pattern(filled(value, known)), `${name} of ${what}`)
  const expected = filled(answer.body, known)
  if (isJson(got)) assert.ok(expected !== '' && fits(got.json, looseJson(expected)), `${what}and not with\n${expected}`)
  else if (expected !== '') assert.match(asLines(got.text, expected), pattern(expected), what)
  if (got.headers['set-cookie']) known.cookie = got.headers['set-cookie'][0]?.split(';')[0]
  if (got.headers.etag) known.etag = got.headers.etag
  if (isJson(got)) Object.assign(known, got.json)
  else if (got.text.startsWith('<?xml')) known[got.xml.name] = plainOf(got.xml)
}

const isJson = ({ headers }: Answered) => String(headers['content-type']).startsWith('application/json')
const shown = (got: Answered) => (isJson(got) ? JSON.stringify(got.json, null, 1) : got.text.slice(0, 5000))

const filled = (text: string, known: Known): string =>
  text.replace(/\{([a-z_]+(?:\.[a-z_]+|\[\d+\])*)\}/g, (_, path: string) => {
    const value = path
      .split(/[.[\]]+/)
      .filter(Boolean)
      // biome-ignore lint/suspicious/noExplicitAny: an answer is walked by name
      .reduce<any>((inside, name) => inside?.[name], known)
    assert.ok(value !== undefined && value !== null, `nothing before has said {${path}}`)
    return String(value)
  })

/** JSON in which `…` may stand for a value, or for what else is in an object or list. */
function looseJson(text: string): unknown {
  let before = ''
  const strict = text.replace(/"(?:[^"\\]|\\.)*"|…|[^\s"…]/g, (token, at: number) => {
    const said = before
    before = token
    if (token !== '…') return token
    return said !== ':' && /^\s*\}/.test(text.slice(at + 1)) ? '"…":0' : '"…"'
  })
  return JSON.parse(strict)
}

function fits(got: unknown, expected: unknown): boolean {
  if (expected === '…') return got !== undefined
  if (typeof expected === 'string') return typeof got === 'string' && pattern(expected).test(got)
  if (Array.isArray(expected)) {
    const open = expected.at(-1) === '…'
    const items = open ? expected.slice(0, -1) : expected
    return (
      Array.isArray(got) &&
      (open ? got.length >= items.length : got.length === items.length) &&
      items.every((item, i) => fits(got[i], item))
    )
  }
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(got, expected)
  if (typeof got !== 'object' || got === null) return false
  const { '…': open, ...fields } = expected as { [name: string]: unknown }
  const names = Object.keys(fields)
  return (
    (open !== undefined || Object.keys(got).length === names.length) &&
    names.every((name) => fits((got as { [name: string]: unknown })[name], fields[name]))
  )
}

const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(/(^[ \t]*…\n|…)/m)
      .map((piece) => (piece === '…' ? '.*' : /^\s*…\n$/.test(piece) ? '(?:.*\\n)*' : RegExp.escape(piece)))
      .join('')}$`,
  )

/** An answer without the declaration of XML where the example leaves it out. */
const asLines = (text: string, expected: string) =>
  (expected.startsWith('<?xml') ? text : text.replace(/^<\?xml.*\n/, '')).trim()

function plainOf({ children, attributes, text }: Element): unknown {
  if (attributes.type === 'array') return children.map(plainOf)
  return children.length > 0 ? Object.fromEntries(children.map((child) => [child.name, plainOf(child)])) : text
}
