import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Field } from '#fields'
import { collectionOf, fullDraftOf, isShown, type Made, make, valuesOf, type WireDraft } from '#test/builders'
import type { Answered } from '#test/client'
import { eachAddress, formats } from '#test/loops'

/** Enough for three pages of three. */
const COUNT = 7

eachAddress(
  () => true,
  (address, turn) => {
    const { record, name, plural } = address
    const fields = Object.entries(record.fields)
    const leaves = fields.filter(([, field]) => isShown(field) && field.shape === 'leaf' && field.kind !== 'ids')
    const lists = fields.filter(([, field]) => isShown(field) && field.kind === 'ids')
    let collection: string
    /** A record that says all it may, and others that say what their example says. */
    let full: Made
    /** All that is there, in order; an account begins with its admin, a thread with its first message. */
    let everything: WireDraft[]

    before(async () => {
      const { account } = turn
      collection = await collectionOf(account, address)
      full = await make(account, address, await fullDraftOf(account, record), { collection })
      for (let i = 1; i < COUNT; i++) await make(account, address, {}, { collection })
      everything = (await account.request('GET', `${collection}.json`)).json[plural]
      assert.ok(everything.length >= COUNT)
    })

    const get = (query: string, format = 'json') =>
      turn.account.request('GET', `${collection}.${format}${query && `?${query}`}`)
    const found = async (query: string): Promise<WireDraft[]> => {
      const answer = await get(query)
      assert.equal(answer.status, 200, `${query}: ${answer.text}`)
      return answer.json[plural]
    }
    const idsOf = (rows: WireDraft[]) => rows.map(({ id }) => id)

    for (const format of formats)
      describe(`as ${format}`, () => {
        const paging = (answer: Answered): WireDraft => {
          if (format === 'json') {
            const { [plural]: _, ...rest } = answer.json
            return rest
          }
          const { type: _, ...rest } = answer.xml.attributes
          return Object.fromEntries(Object.entries(rest).map(([attribute, value]) => [attribute, Number(value)]))
        }
        const rows = (answer: Answered): WireDraft[] =>
          format === 'json' ? answer.json[plural] : answer.xml.children.map((child) => valuesOf(record.fields, child))

        test('a list has the plural as its root, the paging numbers, and whole records in order of their ids', async () => {
          const answer = await get('', format)
          const total = everything.length
          if (format === 'xml') {
            const root = `<${plural} type="array" current_page="1" per_page="50" total_pages="1" total_entries="${total}">`
            assert.equal(answer.text.split('\n')[1], root)
            assert.ok(answer.xml.names.every((child) => child === name))
          } else
            assert.deepEqual(Object.keys(answer.json), [
              plural,
              'current_page',
              'per_page',
              'total_pages',
              'total_entries',
            ])
          assert.deepEqual(paging(answer), { current_page: 1, per_page: 50, total_pages: 1, total_entries: total })
          assert.deepEqual(rows(answer), everything)
          const shown = await turn.account.request('GET', `${full.path}.json`)
          assert.deepEqual(
            rows(answer).find(({ id }) => id === full.id),
            shown.json[name],
          )
          assert.deepEqual(idsOf(everything), idsOf(everything).toSorted(compared))
        })

        test('an empty list has the same root and numbers', async () => {
          const answer = await get('per_page=10&created_since=2999-01-01', format)
          if (format === 'json')
            assert.deepEqual(answer.json, {
              [plural]: [],
              current_page: 1,
              per_page: 10,
              total_pages: 0,
              total_entries: 0,
            })
          else
            assert.equal(
              answer.text,
              `<?xml version="1.0" encoding="UTF-8"?>\n<${plural} type="array" current_page="1" per_page="10" total_pages="0" total_entries="0"/>\n`,
            )
        })

        test('pages hold every record once, and the one after the last is empty', async () => {
          const total_pages = Math.ceil(everything.length / 3)
          const seen: unknown[] = []
          for (let page = 1; page <= total_pages + 1; page++) {
            const answer = await get(`per_page=3&page=${page}`, format)
            assert.deepEqual(paging(answer), {
              current_page: page,
              per_page: 3,
              total_pages,
              total_entries: everything.length,
            })
            if (page <= total_pages) seen.push(...idsOf(rows(answer)))
            else assert.deepEqual(rows(answer), [])
          }
          assert.deepEqual(seen, idsOf(everything))
        })

        test('a walk by after_id sees every record once, and each page of it tells whether there are more', async () => {
          const seen: unknown[] = []
          for (let after: unknown = 0, more = true; more; after = seen.at(-1)) {
            const answer = await get(`per_page=3&after_id=${after}`, format)
            seen.push(...idsOf(rows(answer)))
            more = seen.length < everything.length
            if (format === 'json') assert.equal(answer.json.more, more)
            else assert.match(answer.text, new RegExp(` total_entries="\\d+" more="${more}">`))
            assert.ok(rows(answer).length > 0)
          }
          assert.deepEqual(seen, idsOf(everything))
          const last = await get(`after_id=${seen.at(-1)}`, 'json')
          assert.deepEqual([last.json[plural], last.json.more], [[], false])
          const all = await get(`per_page=${everything.length}&after_id=0`, 'json')
          assert.deepEqual([idsOf(all.json[plural]), all.json.more], [seen, false])
        })
      })

    test('a walk by before_id sees every record once, the newest first', async () => {
      const seen: unknown[] = []
      for (let before: unknown = 0, more = true; more; before = seen.at(-1)) {
        const { json } = await get(`per_page=3&before_id=${before}`)
        seen.push(...idsOf(json[plural]))
        more = json.more
        assert.ok(json[plural].length > 0)
      }
      assert.deepEqual(seen, idsOf(everything).toReversed())
    })

    test('a page of more than the most is one of the most', async () => {
      for (const said of ['1001', '999999', '99999999999999999999']) {
        const answer = await get(`per_page=${said}`)
        assert.equal(answer.json.per_page, 1000, said)
        assert.deepEqual(answer.json[plural], everything)
      }
    })

    test('a record that is made or deleted during a walk by after_id disturbs it nowhere else', async () => {
      const { account } = turn
      const [first, second] = [
        await make(account, address, {}, { collection }),
        await make(account, address, {}, { collection }),
      ]
      const page = await found(`per_page=3&after_id=0`)
      await account.request('DELETE', `${first.path}.json`)
      const rest = idsOf(await found(`per_page=1000&after_id=${page.at(-1)?.id}`))
      assert.deepEqual(rest, [...idsOf(everything).filter((id) => compared(id, page.at(-1)?.id) > 0), second.id])
      await account.request('DELETE', `${second.path}.json`)
    })

    for (const [query, field] of Object.entries({
      'per_page=0': 'Per page',
      'per_page=-1': 'Per page',
      'per_page=ten': 'Per page',
      'page=0': 'Page',
      'page=1.5': 'Page',
      'sort=no_such_field': 'Sort',
      'sort=-': 'Sort',
      'sort=deleted_at': 'Sort',
      'after_id=x': 'After',
      'after_id=0&sort=-id': 'After',
      'after_id=0&page=2': 'After',
      'before_id=x': 'Before',
      'before_id=0&sort=name': 'Before',
      'before_id=0&after_id=0': 'Before',
      'before_id=0&page=2': 'Before',
      'updated_since=yesterday': 'Updated since',
      'created_since=2012-02-30': 'Created since',
      'no_such_field=1': 'No such field',
      'deleted_at=2012-12-25T01:02:03Z': 'Deleted at',
      'search=@no_such_field:1': 'No such field',
      'constructor=1': 'Constructor',
      'search=%00': 'Search',
      'id=%00': 'Id',
      'ids[]=x': 'Ids[]',
    }))
      test(`${query} is refused in a sentence`, async () => {
        const answer = await get(query, 'xml')
        assert.equal(answer.status, 422, answer.text)
        assert.equal(answer.errors.length, 1)
        assert.ok(answer.errors[0]?.startsWith(`${field} `), answer.text)
      })

    test('a thousand records a page are given', async () => {
      assert.deepEqual(await found('per_page=1000'), everything)
    })

    test('every scalar field sorts up and down', async () => {
      for (const [field, described] of leaves) {
        const up = await found(`sort=${field}`)
        const down = await found(`sort=-${field}`)
        assert.deepEqual(idsOf(down), idsOf(up).reverse(), field)
        assert.deepEqual(idsOf(up).toSorted(compared), idsOf(everything), field)
        const values = up.map((row) => row[field]).filter((value) => value !== null)
        assert.deepEqual(values, values.toSorted(described.column === 'decimal' ? numerically : compared), field)
      }
    })

    test('every scalar field finds the records that have its value, as either format writes it', async () => {
      const shown = (await turn.account.request('GET', `${full.path}.xml`)).xml
      for (const [field, described] of leaves) {
        const value = full.row[field]
        if (value === null || value === '') continue
        const expected = idsOf(everything.filter((row) => row[field] === value))
        const spellings = [
          String(value),
          shown.value(field),
          ...(described.caseless ? [String(value).toUpperCase()] : []),
        ]
        for (const text of new Set(spellings)) {
          const query = `${field}=${encodeURIComponent(String(text))}`
          assert.deepEqual(idsOf(await found(query)), expected, query)
          const count = (await get(`${query}&per_page=1`)).json.total_entries
          assert.equal(count, expected.length, `total of ${query}`)
        }
      }
    })

    test('a value that no record has finds none', async () => {
      for (const [field, described] of leaves) {
        const good = described.samples.good.filter((value) => everything.every((row) => row[field] !== value))
        const other = ['text', 'email'].includes(described.kind) ? 'no.such@value' : good[0]
        if (other === undefined || described.kind === 'flag' || described.column === 'instant') continue
        assert.deepEqual(await found(`${field}=${encodeURIComponent(String(other))}`), [], field)
      }
    })

    test('an empty value finds the records where the field is nil', async () => {
      for (const [field] of leaves) {
        if (record.filters?.[field]) continue
        const expected = everything.filter((row) => row[field] === null)
        assert.deepEqual(idsOf(await found(`${field}=`)), idsOf(expected), field)
      }
    })

    test('a list of ids finds the records that have one of them', async () => {
      for (const [field] of lists) {
        const [first] = full.row[field]
        if (first === undefined) continue
        const expected = everything.filter((row) => row[field].includes(first))
        assert.deepEqual(idsOf(await found(`${field}=${first}`)), idsOf(expected), field)
        assert.deepEqual(idsOf(await found(`${field}=999999999,${first}`)), idsOf(expected), field)
        assert.deepEqual(await found(`${field}=999999999`), [], field)
      }
    })

    test('filters hold together', async () => {
      for (const [field] of leaves) {
        const value = full.row[field]
        if (value === null || value === '' || field === 'id') continue
        const query = `id=${full.id}&${field}=${encodeURIComponent(String(value))}`
        assert.deepEqual(idsOf(await found(query)), [full.id], query)
      }
    })

    test('a value of the wrong type is refused and named', async () => {
      for (const [field, described] of [...leaves, ...lists]) {
        for (const bad of described.samples.bad) {
          if (typeof bad !== 'string' || bad.trim() === '' || described.samples.good.includes(bad)) continue
          const answer = await get(`${field}=${encodeURIComponent(bad)}`)
          assert.equal(answer.status, 422, `${field}=${bad}`)
          assert.equal(answer.json.errors[0].field, field)
        }
      }
    })

    test('what is never written is no filter and no order', async () => {
      for (const [field, described] of fields) {
        if (isShown(described)) continue
        for (const query of [`${field}=1`, `sort=${field}`, `search=@${field}:1`])
          assert.equal((await get(query)).status, 422, query)
      }
    })

    test('search takes terms of fields that must all hold, with a colon or an equals sign', async () => {
      const { fields: described, title } = record
      const value = String(full.row[title])
      if (value.includes(',') || (described[title] as Field<unknown>).lookup) return
      for (const sign of [':', '=']) {
        const term = encodeURIComponent(`@${title}${sign}${value}`)
        assert.ok(idsOf(await found(`search=${term}`)).includes(full.id))
        assert.deepEqual(idsOf(await found(`search=${term},@id${sign}${full.id}`)), [full.id])
        assert.deepEqual(await found(`search=${term},@created_at${sign}2001-01-01`).catch(() => []), [])
      }
    })

    test('free text is looked for in the text fields, whatever its case, and signs stand for themselves', async () => {
      for (const field of record.search) {
        const value = full.row[field]
        const word = String(value ?? '').match(/[A-Za-z]{3,}/)?.[0]
        if (!word) continue
        const has = (row: WireDraft) =>
          record.search.some((name) =>
            String(row[name] ?? '')
              .toLowerCase()
              .includes(word.toLowerCase()),
          )
        assert.deepEqual(idsOf(await found(`search=${word.toUpperCase()}`)), idsOf(everything.filter(has)), word)
      }
      for (const sign of ['%', '_', '\\', '%%'])
        assert.deepEqual(
          idsOf(await found(`search=${encodeURIComponent(sign)}`)),
          idsOf(everything.filter((row) => record.search.some((name) => String(row[name] ?? '').includes(sign)))),
          sign,
        )
    })

    test('created_since and updated_since take an instant', async () => {
      for (const parameter of ['created_since', 'updated_since']) {
        assert.deepEqual(await found(`${parameter}=2001-01-01T00:00:00Z`), everything)
        assert.deepEqual(await found(`${parameter}=2999-01-01 00:00:00 %2B0000`.replaceAll(' ', '%20')), [])
      }
    })

    test('ids[] picks records', async () => {
      const [, second, third] = everything
      assert.deepEqual(await found(`ids[]=${third?.id}&ids[]=${second?.id}`), [second, third])
    })
  },
)

function compared(a: unknown, b: unknown): number {
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0
}

const numerically = (a: unknown, b: unknown) => Number(a) - Number(b)
