import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addressOf, bodyOf, collectionOf, draftOf, type Made, make } from '#test/builders'
import { eachAddress, formats } from '#test/loops'

const trees = ['/v5', '/api/v5', '/v4', '/api/v4', '/2.0', '/api/2.0']

eachAddress(
  () => true,
  (address, turn) => {
    const { record, name } = address
    const request: typeof turn.account.request = (...asked) => turn.account.request(...asked)
    let collection: string
    let made: Made

    before(async () => {
      collection = await collectionOf(turn.account, address)
      made = await make(turn.account, address, {}, { collection })
    })

    test('every tree of addresses answers alike', async () => {
      for (const path of [collection, made.path])
        for (const format of formats) {
          const first = await request('GET', `${path}.${format}`)
          assert.equal(first.status, 200)
          for (const tree of trees) {
            const answer = await request('GET', `${path.replace('/v5', tree)}.${format}`)
            assert.equal(answer.text, first.text, tree)
          }
        }
      assert.equal((await request('GET', made.path.replace('/v5', '/v6'))).status, 404)
    })

    test('trailing and doubled slashes are tolerated', async () => {
      for (const path of [`/${made.path}`, made.path.replace(/\/(?=[^/]+$)/, '//'), `${made.path}/`]) {
        const answer = await request('GET', path)
        assert.equal(answer.status, 200, path)
        assert.equal(answer.xml.value('id'), String(made.id))
      }
    })

    test('an extension beats Accept; with neither, XML', async () => {
      const asked = [
        ['.xml', 'application/json', 'xml'],
        ['.json', 'application/xml', 'json'],
        ['', 'application/json', 'json'],
        ['', 'text/html;q=0.9, application/json;q=0.8', 'json'],
        ['', 'text/xml', 'xml'],
        ['', '*/*', 'xml'],
        ['', undefined, 'xml'],
      ] as const
      for (const [extension, accept, format] of asked) {
        const answer = await request('GET', `${made.path}${extension}`, { headers: { Accept: accept } })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers['content-type'], `application/${format}; charset=utf-8`, `${extension} ${accept}`)
      }
      for (const extension of ['.html', '.csv', '.XML', '.png']) {
        const answer = await request('GET', `${made.path}${extension}`)
        assert.equal(answer.status, 406, extension)
        assert.equal(answer.errors.length, 1)
      }
    })

    test('without a key, and with one that is none, every verb is 401', async () => {
      for (const format of formats)
        for (const key of [null, '', 'x', 'zz_ABCDEFGHIJKLMNOPQRSTUVWXYZ', `${turn.account.key}x`])
          for (const [method, path] of [
            ['GET', collection],
            ['POST', collection],
            ['GET', made.path],
            ['PUT', made.path],
            ['PATCH', made.path],
            ['DELETE', made.path],
          ] as const) {
            const body = method.startsWith('P') ? bodyOf(format, name, record.fields, draftOf(record)) : undefined
            const answer = await request(method, `${path}.${format}`, { key, body })
            assert.equal(answer.status, 401, `${method} ${key}`)
            assert.equal(answer.errors.length, 1)
          }
      const bearer = { Authorization: `Bearer ${turn.account.key}` }
      assert.equal((await request('GET', made.path, { key: null, headers: bearer })).status, 200)
    })

    test('without gzip every verb is 406, before the key is looked at', async () => {
      for (const encoding of [undefined, 'identity', 'br', 'gzip;q=0', '*;q=0'])
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const answer = await request(method, made.path, { key: null, headers: { 'Accept-Encoding': encoding } })
          assert.equal(answer.status, 406, `${method} ${encoding}`)
          assert.equal(answer.headers['content-encoding'], undefined)
          assert.equal(answer.errors.length, 1)
        }
    })

    test('another method is 405 with Allow', async () => {
      for (const [path, method, allow] of [
        [collection, 'PUT', 'GET, HEAD, POST'],
        [collection, 'DELETE', 'GET, HEAD, POST'],
        [made.path, 'POST', 'GET, HEAD, PUT, PATCH, DELETE'],
        [made.path, 'OPTIONS', 'GET, HEAD, PUT, PATCH, DELETE'],
      ] as const) {
        const answer = await request(method, path)
        assert.equal(answer.status, 405, `${method} ${path}`)
        assert.equal(answer.headers.allow, allow)
      }
    })

    test('an id that no record can have is 404', async () => {
      const never = await request('GET', `${collection}/${'9'.repeat(15)}.xml`)
      const strange = ['0', '-1', '1a', 'x', '1e3', '99999999999999999999', '%20', '1%00', 'null', '٣', '1;drop']
      const numbers = record.fields.id?.column === 'uuid' ? ['1', String(made.id).slice(1)] : []
      for (const id of [...strange, ...numbers])
        for (const method of ['GET', 'DELETE']) {
          const answer = await request(method, `${collection}/${encodeURI(decodeURI(id))}.xml`)
          assert.equal(answer.status, 404, id)
          assert.equal(answer.text, never.text)
        }
    })

    test('a record is found below its own parent and under its own name only', async () => {
      const elsewhere = await collectionOf(turn.account, address)
      if (elsewhere !== collection)
        for (const method of ['GET', 'DELETE'])
          assert.equal((await request(method, `${elsewhere}/${made.id}.json`)).status, 404)
      const { alias } = record
      if (alias) {
        const other = await make(turn.account, addressOf(record.name), { permissions: { jobs: 'full' } })
        for (const method of ['GET', 'DELETE'])
          assert.equal((await request(method, `/v5${alias.path}/${other.id}.json`)).status, 404)
        const listed = (await request('GET', `/v5${alias.path}.json`)).json[alias.plural]
        assert.ok(!listed.some(({ id }: { id: unknown }) => id === other.id))
      }
      assert.equal((await request('GET', `${made.path}.json`)).status, 200)
    })

    test('X-HTTP-Method-Override on a POST is honoured', async () => {
      const { path } = await make(turn.account, address, {}, { collection })
      const override = (method: string, body?: string) =>
        request('POST', `${path}.json`, { body, headers: { 'X-HTTP-Method-Override': method } })
      const body = JSON.stringify({ [name]: { [record.title]: 'Changed by override' } })
      for (const method of ['PUT', 'patch']) assert.equal((await override(method, body)).status, 200)
      assert.equal((await request('GET', `${path}.json`)).json[name][record.title], 'Changed by override')
      assert.equal((await override('GET')).status, 405)
      assert.equal((await override('DELETE')).status, 200)
      assert.equal((await request('GET', `${path}.json`)).status, 404)
    })

    describe("with the caller's own ids", () => {
      if (!record.fields.third_party_id) {
        test('use_third_party_id is refused, since there are none', async () => {
          const answer = await request('GET', `${made.path}.json?use_third_party_id=true`)
          assert.equal(answer.status, 422)
          assert.match(answer.errors[0] ?? '', /^Use third party /)
        })
        return
      }

      test('a text that nobody can have is 404', async () => {
        assert.equal((await request('GET', `${collection}/%00.json?use_third_party_id=true`)).status, 404)
      })

      for (const format of formats)
        test(`upsert makes what is not there and changes what is, once and for all, as ${format}`, async () => {
          const theirs = `of mine/${format}`
          const path = `${collection}/${encodeURIComponent(theirs)}.${format}?use_third_party_id=true&upsert=true`
          const { third_party_id: _, ...draft } = draftOf(record)
          const put = (more: object, at = path) =>
            request('PUT', at, { body: bodyOf(format, name, record.fields, { ...draft, ...more }) })
          const seen = (answer: Awaited<ReturnType<typeof request>>) =>
            format === 'xml' ? answer.xml.value('id') : String(answer.json[name].id)

          const dry = await put({}, `${path}&dry_run=true`)
          assert.equal(dry.status, 201, dry.text)
          assert.equal(dry.headers.location, undefined)
          const first = await put({})
          assert.equal(first.status, 201, first.text)
          assert.ok(first.headers.location?.endsWith(`${collection}/${seen(first)}`), first.headers.location)
          const again = await put({})
          assert.equal(again.status, 200, again.text)
          assert.deepEqual([seen(again), again.text, again.headers.location], [seen(first), first.text, undefined])
          const changed = await put({ [record.title]: `Changed as ${format}` })
          assert.equal(seen(changed), seen(first))

          assert.equal((await put({ third_party_id: 'another' })).status, 422)
          assert.equal((await put({}, path.replace('&upsert=true', '').replace('mine', 'yours'))).status, 404)
          const nothing = `${collection}/nothing-${format}.${format}?use_third_party_id=true&upsert=true`
          const body = bodyOf(format, name, record.fields, draft)
          assert.equal((await request('PUT', nothing, { body, headers: { 'If-Match': '*' } })).status, 404)
          assert.equal((await put({}, `${made.path}.${format}?upsert=true`)).status, 422)
          const blank = await put({ [record.title]: '' }, nothing)
          assert.ok(blank.status === 422 || blank.status === 201, 'the rules of making hold')
        })

      for (const theirs of [
        'emp-17',
        '4711',
        'a b/c?d#e',
        'v1.2',
        'größe 漢',
        '%41',
        '01890a5d-ac96-774b-bcce-b302099a8057',
      ])
        test(`use_third_party_id finds, changes and deletes ${JSON.stringify(theirs)}`, async () => {
          const { id } = await make(turn.account, address, { third_party_id: theirs }, { collection })
          const path = `${collection}/${encodeURIComponent(theirs)}`
          for (const format of formats) {
            const shown = await request('GET', `${path}.${format}?use_third_party_id=true`)
            assert.equal(shown.status, 200, shown.text)
            assert.equal(String(format === 'xml' ? shown.xml.value('id') : shown.json[name].id), String(id))
          }
          assert.equal((await request('GET', `${path}?use_third_party_id=true`)).status, 200)
          const body = { [name]: { [record.title]: `Changed ${theirs}` } }
          const updated = await request('PUT', `${path}.json?use_third_party_id=true`, { body })
          assert.equal(updated.json[name][record.title], `Changed ${theirs}`)
          assert.equal((await request('GET', `${path}.json`)).status, 404, 'only when it is asked for')
          assert.equal((await request('DELETE', `${path}.json?use_third_party_id=true`)).status, 200)
          assert.equal((await request('GET', `${path}.json?use_third_party_id=true`)).status, 404)
        })
    })
  },
)
