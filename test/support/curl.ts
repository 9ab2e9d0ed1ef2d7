/**
 * As much of curl as the pages in `docs` use, for tests on machines that have none: `node curl.ts -sS -X POST …`.
 * An option that it doesn't know ends it with exit code 2, so that a page which uses another one is noticed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values: said, positionals } = parseArgs({
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    compressed: { type: 'boolean' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
    'data-binary': { type: 'string' },
    form: { type: 'string', short: 'F' },
    cookie: { type: 'string', short: 'b' },
    'cookie-jar': { type: 'string', short: 'c' },
    output: { type: 'string', short: 'o' },
  },
  allowPositionals: true,
})

// `fetch` asks for gzip and reads it; without the option, curl would take nothing but the bytes themselves.
const headers = new Headers(said.compressed ? {} : { 'Accept-Encoding': 'identity' })
for (const line of said.header ?? []) headers.append(...nameAndValue(line))
if (said.cookie) headers.set('Cookie', readFileSync(said.cookie, 'utf8'))
const body = bodyOf()
const answer = await fetch(positionals[0] ?? '', { method: said.request ?? (body ? 'POST' : 'GET'), headers, body })
if (said['cookie-jar']) writeFileSync(said['cookie-jar'], answer.headers.getSetCookie()[0]?.split(';')[0] ?? '')
const bytes = Buffer.from(await answer.arrayBuffer())
if (said.output) writeFileSync(said.output, bytes)
else process.stdout.write(bytes)

function nameAndValue(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

function bodyOf(): string | Blob | FormData | null {
  if (said.data !== undefined) return said.data
  if (said['data-binary']) return new Blob([readFileSync(said['data-binary'].replace(/^@/, ''))])
  if (!said.form) return null
  const [, name = '', file = ''] = /^(\w+)=@(.+)$/.exec(said.form) ?? []
  const form = new FormData()
  form.append(name, new Blob([readFileSync(file)]), file)
  return form
}
