import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { meanings } from '#rules/event-types'
import { exchangesOf, follow } from '#test/exchanges'
import { set } from '#test/people'
import { recordsOf, remade } from '#test/reference'
import { startApp, type TestApp } from '#test/test-app'

const pages = globSync('docs/api/*.md').sort()

/** What an example may send as a file. */
const color = { channels: 3, background: '#285577' } as const
const files = {
  'photo.jpg': await sharp({ create: { width: 40, height: 30, ...color } })
    .jpeg()
    .toBuffer(),
  'signature.png': await sharp({ create: { width: 60, height: 20, ...color } })
    .png()
    .toBuffer(),
}

describe('the pages of the API', () => {
  let house: TestApp
  before(async () => {
    house = await startApp()
  })
  after(() => house.close())

  test('have the fields, addresses and filters of every record that has an address, as they are, once', () => {
    const { records, routes } = house.app
    const there = pages.flatMap((page) => {
      const text = readFileSync(page, 'utf8')
      const made = remade(text, records, routes)
      if (process.env.UPDATE_SNAPSHOTS) writeFileSync(page, made.text)
      else assertSame(page, text, made.text)
      return made.about
    })
    const expected = recordsOf(routes).map(({ name }) => name)
    assert.deepEqual(there.sort(), [...expected, 'location'].sort(), 'a page has <!-- made: RECORD --> … <!-- end -->')
  })

  test('are all in the index, under the name of their title', () => {
    const index = readFileSync('docs/api/README.md', 'utf8')
    for (const page of pages.filter((page) => !page.endsWith('README.md'))) {
      const [, title] = /^# (.*)\n/.exec(readFileSync(page, 'utf8')) ?? []
      assert.match(index, new RegExp(`\\[${title}\\]\\(${page.replace(/.*\//, '')}\\)`), `${page}, ${title}`)
    }
  })

  test('have every code that an error or a warning of this server may have, and no other', () => {
    const page = readFileSync('docs/api/errors.md', 'utf8')
    const rows = page.match(/^\| `.*$/gm) ?? []
    const told = rows.slice(5).flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? [])
    const source = globSync('src/**/*.ts')
      .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/cli/'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const [, kinds = ''] = /ProblemKind =((?:\s*\| '\w+')+)/.exec(source) ?? []
    const used = [...source.matchAll(/new ValidationError\(\s*'(\w+)'|\bcode: '([a-z_]+)'/g)].map(
      ([, one, other]) => one ?? other,
    )
    assert.deepEqual(new Set(told), new Set([...used, ...(kinds.match(/\w+/g) ?? [])].sort()))
  })

  test('have every meaning of a change that a webhook may ask for', () => {
    const page = readFileSync('docs/api/webhooks.md', 'utf8')
    for (const [record, means] of Object.entries(meanings))
      for (const [name, { about }] of Object.entries(means))
        assert.ok(page.includes(`| \`${record}.${name}\` | ${about} |`), `${record}.${name}`)
  })

  // Each begins with an account in which there is nothing but its admin.
  for (const page of pages)
    test(`${page} is answered as it says`, async (t) => {
      const text = readFileSync(page, 'utf8')
      const house = await startApp({ t })
      const known = { base: house.base }
      for (const exchange of exchangesOf(text)) {
        for (const settings of exchange.settings) await set(house.app, house, settings)
        await follow(exchange, house.request, known, files).catch((error) => {
          throw new Error(`${page}:${exchange.line}\n${error.message}`)
        })
      }
    })
})

test('an example that says anything else than the server is noticed', async (t) => {
  const { request, base } = await startApp({ t })
  const asked = 'POST /v5/tags.FORMAT\n\n{"tag": {"name": "Crane"}}\n\nHTTP/1.1 STATUS\nContent-Type: TYPE\n\n'
  const json = (answer: string, status = '422', type = 'application/json; …') =>
    `${asked.replace('FORMAT', 'json').replace('STATUS', status).replace('TYPE', type)}${answer}\n`
  const taken = { field: 'name', code: 'taken', message: 'Name has already been taken' }
  const followed = (text: string) => {
    const [exchange] = exchangesOf(`\`\`\`http\n${text}\`\`\``)
    return exchange && follow(exchange, request, { base }, {})
  }
  await followed(json('{"tag": {"id": …, "name": "C…e", …}}', '201'))
  for (const same of [{ errors: [taken] }, { errors: [{ ...taken, message: '… taken' }] }])
    await followed(json(JSON.stringify(same)))
  for (const loose of ['{"errors": …}', '{"errors": [{"field": "name", …}, …]}', '{…}']) await followed(json(loose))
  for (const wrong of [
    json(JSON.stringify({ errors: [taken] }), '201'),
    json(JSON.stringify({ errors: [taken] }), '422', 'application/xml; …'),
    ...['', '{}', '{"errors": []}', '{"errors": [{"field": "name"}]}', '{"errors": [{"field": "names", …}]}'].map(
      (one) => json(one),
    ),
    json(JSON.stringify({ errors: [taken, taken] })),
    json(JSON.stringify({ errors: [{ ...taken, remedy: 'none' }] })),
    'GET /v5/tags.xml?name=x\n\nHTTP/1.1 200 OK\n\n<tags type="array"/>\n',
  ])
    await assert.rejects(async () => followed(wrong), wrong)
})

test('every link in the documentation leads to what is there', () => {
  for (const page of [...globSync('*.md'), ...globSync('docs/**/*.md')])
    for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = target.split('#')
      const found = file === '' ? page : join(dirname(page), file)
      assert.ok(existsSync(found), `${page} leads to ${target}`)
      if (anchor) assert.ok(anchorsOf(readFileSync(found, 'utf8')).includes(anchor), `${page} leads to ${target}`)
    }
})

/** Tells the first line that differs: a page is long. */
function assertSame(page: string, text: string, made: string) {
  const [lines, others] = [text.split('\n'), made.split('\n')]
  const at = others.findIndex((line, i) => line !== lines[i])
  assert.ok(
    text === made,
    `${page}:${at + 1} is stale; if the change is meant, npm run snapshots\n- ${lines[at]}\n+ ${others[at]}`,
  )
}

/** As they are made from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )
