import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { write } from '#cli/accounts'
import type { Field, RecordType } from '#fields'
import { isPersonal } from '#fields/visibility'
import {
  addresses,
  addressOf,
  bodyOf,
  collectionOf,
  draftOf,
  fullDraftOf,
  isSent,
  type Made,
  make,
  type WireDraft,
} from '#test/builders'
import { databases } from '#test/databases'
import { eachAddress, formats } from '#test/loops'
import { startApp, type TestAccount, type TestApp } from '#test/test-app'

eachAddress(
  () => true,
  (address, turn) => {
    const { record, name, plural } = address
    const draft = () => bodyOf('json', name, record.fields, draftOf(record))

    describe('between accounts', () => {
      let stranger: TestAccount
      let theirs: Made
      let collection: string

      before(async () => {
        stranger = await turn.app.newAccount()
        collection = await collectionOf(stranger, address)
        theirs = await make(stranger, address, await fullDraftOf(stranger, record), { collection })
      })

      test('a record of another account is 404 on every verb, the same as one that does not exist', async () => {
        const { request } = turn.account
        const unchanged = await stranger.request('GET', `${theirs.path}.json`)
        assert.equal(unchanged.status, 200)
        for (const format of formats) {
          const never = await request('GET', `${theirs.path.replace(/[^/]+$/, absentId(record))}.${format}`)
          for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
            const body = bodyOf(format, name, record.fields, draftOf(record))
            const answer = await request(
              method,
              `${theirs.path}.${format}`,
              method.startsWith('P') ? { body } : undefined,
            )
            assert.equal(answer.status, 404, method)
            if (method !== 'HEAD') assert.equal(answer.text, never.text)
          }
        }
        assert.equal((await stranger.request('GET', `${theirs.path}.json`)).text, unchanged.text)
      })

      test('no list of mine has a record of another account, whatever it asks for', async () => {
        const { request } = turn.account
        if (address.path.includes('{')) {
          assert.equal((await request('GET', `${collection}.json`)).status, 404)
          assert.equal((await request('POST', `${collection}.json`, { body: draft() })).status, 404)
          return
        }
        const title = encodeURIComponent(String(theirs.row[record.title]))
        const queries = [`ids[]=${theirs.id}`, `id=${theirs.id}`, `${record.title}=${title}`, `search=${title}`]
        for (const query of [...queries, 'per_page=1000', 'after_id=0'])
          for (const row of (await request('GET', `${collection}.json?${query}`)).json[plural])
            assert.notEqual(row[record.title] === theirs.row[record.title] && row.id === theirs.id, true, query)
        const count = (await request('GET', `${collection}.json?id=${theirs.id}&${record.title}=${title}`)).json
        assert.equal(count.total_entries, 0)
      })

      test("a caller's own id of another account is 404", async () => {
        if (!record.fields.third_party_id) return
        const path = `${collection}/${encodeURIComponent(theirs.row.third_party_id)}.json?use_third_party_id=true`
        assert.equal((await stranger.request('GET', path)).status, 200)
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
          assert.equal(
            (await turn.account.request(method, path, method.startsWith('P') ? { body: draft() } : {})).status,
            404,
          )
      })

      test('a reference to a record of another account is refused like one to nothing', async () => {
        const mine = await collectionOf(turn.account, address)
        for (const [field, described] of references(record)) {
          const target = await make(stranger, addressOf(described.target ?? ''))
          // So that the number is nobody's in this account.
          if (typeof target.id === 'number')
            assert.equal((await turn.account.request('GET', `${target.path}.json`)).status, 404)
          for (const id of [target.id, 999_999_999]) {
            const body = { [name]: { ...draftOf(record), [field]: reference(described, id) } }
            const answer = await turn.account.request('POST', `${mine}.json`, { body })
            assert.equal(answer.status, 422, `${field}: ${answer.text}`)
            assert.ok(
              answer.json.errors.some(
                (error: WireDraft) => error.field === field && error.message.endsWith(`${id} does not exist`),
              ),
              answer.text,
            )
          }
        }
      })
    })

    describe('for a key that is limited to a group', () => {
      let account: TestAccount
      let key: string
      let groups: { mine: Made; other: Made }
      let made: { [where in 'mine' | 'other' | 'both' | 'none']: Made }
      let collection: (where: keyof typeof made) => Promise<string>

      before(async () => {
        account = await turn.app.newAccount()
        groups = {
          mine: await make(account, addressOf('group')),
          other: await make(account, addressOf('group')),
        }
        key = await account.newKey({ group_ids: [groups.mine.id] })
        collection = collectionsIn(account, groups, address)
        made = {
          mine: await madeIn(account, groups, address, 'mine', collection),
          other: await madeIn(account, groups, address, 'other', collection),
          both: await madeIn(account, groups, address, 'both', collection),
          none: await madeIn(account, groups, address, 'none', collection),
        }
      })

      if (record.allow.read === 'admin') {
        test('what is for admins only is 403', async () => {
          for (const path of [made.none.path, await collection('none')])
            assert.equal((await account.request('GET', `${path}.json`, { key })).status, 403)
        })
        return
      }
      const hides = isByGroups(record)
      // A group is in itself and in no other.
      const seen = record.visible === 'own' ? (['mine'] as const) : (['mine', 'both', 'none'] as const)

      test('what is in one of its groups, or in none, is seen', async () => {
        for (const where of seen) {
          assert.equal((await account.request('GET', `${made[where].path}.json`, { key })).status, 200, where)
          const list = await account.request('GET', `${await collection(where)}.json?per_page=1000`, { key })
          assert.ok(ids(list.json[plural]).includes(made[where].id), where)
        }
      })

      test(`what is in other groups only is ${hides ? '404 on every verb and in no list' : 'seen, since it has no groups'}`, async () => {
        const { path, id, row } = made.other
        const where = await collection('other')
        if (!hides) return assert.equal((await account.request('GET', `${path}.json`, { key })).status, 200)
        const never = await account.request('GET', `/v5/tags/999999999.json`, { key })
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
          const answer = await account.request(method, `${path}.json`, {
            key,
            ...(method.startsWith('P') && { body: draft() }),
          })
          assert.equal(answer.status, 404, method)
          assert.equal(answer.text, never.text)
        }
        for (const query of ['per_page=1000', `ids[]=${id}`, `id=${id}`, 'after_id=0']) {
          const list = await account.request('GET', `${where}.json?${query}`, { key })
          // A child's address names its parent, which is not seen either.
          if (address.path.includes('{')) assert.equal(list.status, 404)
          else {
            assert.ok(!ids(list.json[plural]).includes(id), query)
            if (query.startsWith('id')) assert.equal(list.json.total_entries, 0, query)
          }
        }
        if (record.fields.third_party_id) {
          const theirs = await account.request('PUT', `${path}.json`, {
            body: { [name]: { third_party_id: 'hidden one' } },
          })
          assert.equal(theirs.status, 200, theirs.text)
          const byTheirs = `/v5${address.path}/hidden%20one.json?use_third_party_id=true`
          assert.equal((await account.request('GET', byTheirs)).status, 200)
          assert.equal((await account.request('GET', byTheirs, { key })).status, 404)
        }
        const after = await account.request('GET', `${path}.json`)
        assert.equal(after.status, 200)
        assert.equal(after.json[name][record.title], row[record.title])
      })

      test('of the groups of a record it sees its own, and its updates leave the others', async () => {
        const field = Object.entries(record.fields).find(([, { target, kind }]) => target === 'group' && kind === 'ids')
        if (!field) return
        const [group_ids] = field
        const path = `${made.both.path}.json`
        const limited = await account.request('GET', path, { key })
        assert.deepEqual(limited.json[name][group_ids], [groups.mine.id])
        const back = await account.request('PUT', path, { key, body: limited.text })
        assert.equal(back.status, 200, back.text)
        assert.equal(back.text, limited.text)
        const both = [groups.mine.id, groups.other.id]
        assert.deepEqual((await account.request('GET', path)).json[name][group_ids], both)

        const named = await account.request('PUT', path, { key, body: { [name]: { [group_ids]: both } } })
        assert.equal(named.status, 422, named.text)
        assert.match(named.errors[0] ?? '', new RegExp(`${groups.other.id} does not exist$`))
        assert.deepEqual((await account.request('GET', path)).json[name][group_ids], both)
      })

      test('it can refer to nothing that it does not see', async () => {
        const where = await collection('mine')
        for (const [field, described] of references(record)) {
          const target = addressOf(described.target ?? '')
          if (!isByGroups(target.record)) continue
          const hidden = await madeIn(account, groups, target, 'other', collectionsIn(account, groups, target))
          const body = { [name]: { ...draftOf(record), [field]: reference(described, hidden.id) } }
          const answer = await account.request('POST', `${where}.json`, { key, body })
          assert.equal(answer.status, 422, `${field}: ${answer.text}`)
          assert.match(answer.errors.join(), new RegExp(`${hidden.id} does not exist`))
        }
      })
    })

    test('a key that may only read gets 403 for every write, and nothing changes', async () => {
      const { account } = turn
      const key = await account.newKey({ read_only: true })
      const collection = await collectionOf(account, address)
      const { path } = await make(account, address, {}, { collection })
      const before = await account.request('GET', `${collection}.json`)
      for (const format of formats) {
        assert.equal((await account.request('GET', `${path}.${format}`, { key })).status, 200)
        assert.equal((await account.request('GET', `${collection}.${format}`, { key })).status, 200)
        const body = bodyOf(format, name, record.fields, draftOf(record))
        const answers = [
          await account.request('POST', `${collection}.${format}`, { key, body }),
          await account.request('PUT', `${path}.${format}`, { key, body }),
          await account.request('PATCH', `${path}.${format}`, { key, body }),
          await account.request('DELETE', `${path}.${format}`, { key }),
          await account.request('POST', `${path}.${format}`, { key, headers: { 'X-HTTP-Method-Override': 'DELETE' } }),
        ]
        for (const answer of answers) assert.equal(answer.status, 403)
      }
      assert.equal((await account.request('GET', `${collection}.json`)).text, before.text)
    })

    const { feature } = record
    if (feature)
      test(`without the feature ${feature} every route is 404, and what was there comes back with it`, async () => {
        const account = await turn.app.newAccount()
        const collection = await collectionOf(account, address)
        const { path } = await make(account, address, {}, { collection })
        const before = await account.request('GET', `${path}.json`)
        await account.turn(feature, false)
        for (const format of formats) {
          const body = bodyOf(format, name, record.fields, draftOf(record))
          for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
            assert.equal(
              (await account.request(method, `${path}.${format}`, method.startsWith('P') ? { body } : {})).status,
              404,
            )
          assert.equal((await account.request('GET', `${collection}.${format}`)).status, 404)
          assert.equal((await account.request('POST', `${collection}.${format}`, { body })).status, 404)
        }
        await account.turn(feature, true)
        assert.equal((await account.request('GET', `${path}.json`)).text, before.text)
      })
  },
)

for (const database of databases)
  describe(`every route, on ${database.name}`, () => {
    test('of the first account finds nothing with the key of the second', async (t) => {
      const app = await startApp({ t, database })
      const stranger = await app.newAccount()
      const made = new Map<string, Made>()
      for (const address of addresses)
        made.set(
          address.record.name,
          await make(app, address, await fullDraftOf(app, address.record), {
            collection: await collectionOf(app, address),
          }),
        )
      for (const { record, extension = '' } of imageRoutes(app))
        made.set(record.name, await madeFile(app, record, made.get('job')?.id, extension))
      const tried = new Set<string>()
      for (const { path, record, methods, extension, userOnly } of app.app.routes) {
        if (!path.includes('{')) continue
        const own = made.get(record.name)
        const filled = path.replace(/\{(\w+)\}/g, (_, parameter) => {
          if (parameter !== 'id') return String(own?.row[parameter] ?? own?.row.steps?.[0].id)
          return String(own?.id ?? '01890a5d-ac96-774b-bcce-b302099a8057')
        })
        for (const method of [...Object.keys(methods), ...(methods.GET ? ['HEAD'] : [])])
          for (const format of extension ? [extension] : formats) {
            const answer = await stranger.request(method, `/v5${filled}.${format}`, {
              ...(method.startsWith('P') && { body: format === 'xml' ? '<a><b>1</b></a>' : '{"a":{"b":1}}' }),
            })
            // What the body, the format or the kind of caller alone decides tells nothing.
            const isRefused = isForPeople(path, method, userOnly)
            const expected = [404, 406, ...(method.startsWith('P') ? [400] : []), ...(isRefused ? [403] : [])]
            assert.ok(expected.includes(answer.status), `${method} ${filled}.${format} is ${answer.status}`)
            tried.add(answer.status === 404 ? `${method} ${path}` : '')
          }
      }
      for (const { path, methods, userOnly } of app.app.routes)
        for (const method of Object.keys(methods))
          if (path.includes('{') && !method.startsWith('P') && !isForPeople(path, method, userOnly))
            assert.ok(tried.has(`${method} ${path}`), `${method} ${path}`)
    })
  })

for (const database of databases)
  test(`a file is seen by whoever sees its job, on ${database.name}`, async (t) => {
    const app = await startApp({ t, database })
    const groups = { mine: await make(app, addressOf('group')), other: await make(app, addressOf('group')) }
    const key = await app.newKey({ group_ids: [groups.mine.id] })
    for (const { record, extension = '' } of imageRoutes(app)) {
      for (const [where, status] of [
        ['mine', 200],
        ['none', 200],
        ['other', 404],
      ] as const) {
        const job = await make(app, addressOf('job'), { group_ids: groupIds(groups, where) })
        const { path } = await madeFile(app, record, job.id, extension)
        assert.equal((await app.request('GET', path)).body.toString(), extension)
        assert.equal((await app.request('GET', path, { key })).status, status, `${record.name} ${where}`)
        await app.request('DELETE', `${job.path}.json`)
        assert.equal((await app.request('GET', path)).status, 404, 'it goes with its job')
      }
    }
  })

const imageRoutes = ({ app }: TestApp) => app.routes.filter(({ record }) => 'sha256' in record.fields)

/** A file of a job; its bytes are its extension, which no route looks into. */
async function madeFile(app: TestApp, record: RecordType, job_id: unknown, extension: string): Promise<Made> {
  const sha256 = await app.app.blobs.put(Buffer.from(extension))
  const row = await write(app.app, app.account, 'test', record, { job_id, sha256, size: extension.length })
  return { id: row.id, path: `/v5/${record.plural}/${row.id}.${extension}`, row }
}

/** Fields of a caller that lead to other records with an address. */
/** Whether the groups of a record, or of what it belongs to, decide who sees it. */
/** Whether a key gets 403 whatever is asked for: no key writes keys. */
function isForPeople(path: string, method: string, userOnly: string | undefined): boolean {
  return userOnly !== undefined || (path.startsWith('/api_keys') && !['GET', 'HEAD'].includes(method))
}

// The tests above are made before this line is read.
function isByGroups({ visible }: RecordType): boolean {
  return visible !== undefined && !isPersonal(visible)
}

const references = (record: RecordType) =>
  Object.entries(record.fields).filter(
    ([, field]) =>
      isSent(field) &&
      !field.lookup &&
      field.shape !== 'records' &&
      addresses.some((address) => address.record.name === field.target),
  )

function reference({ kind, shape }: Field<unknown>, id: unknown): unknown {
  if (shape === 'links') return [{ id, expires_at: '2999-01-01T00:00:00Z' }]
  return kind === 'ids' ? [id] : id
}

const ids = (rows: WireDraft[]) => rows.map(({ id }) => id)

const absentId = (record: RecordType) =>
  record.fields.id?.column === 'uuid' ? '01890a5d-ac96-774b-bcce-b302099a8057' : '999999999'

type Where = 'mine' | 'other' | 'both' | 'none'
type Groups = { mine: Made; other: Made }

/** Ids of the groups that a record which is there belongs to. */
function groupIds({ mine, other }: Groups, where: Where) {
  return { mine: [mine.id], other: [other.id], both: [mine.id, other.id], none: [] }[where]
}

/** Collections whose parents are in these groups, each made once. */
function collectionsIn(account: TestAccount, groups: Groups, address: (typeof addresses)[number]) {
  const known = new Map<Where, Promise<string>>()
  return (where: Where): Promise<string> => {
    const found = known.get(where) ?? filled(where)
    known.set(where, found)
    return found
  }
  async function filled(where: Where): Promise<string> {
    let path = `/v5${address.path}`
    for (const [parameter, reference = ''] of address.path.matchAll(/\{(\w+)\}/g)) {
      const parent = addressOf(address.record.fields[reference]?.target ?? '')
      const { id } = await madeIn(account, groups, parent, where, collectionsIn(account, groups, parent))
      path = path.replace(parameter, String(id))
    }
    return path
  }
}

/** A record that is in these groups: by its own list of them, through what it refers to, or by being one. */
async function madeIn(
  account: TestAccount,
  groups: Groups,
  address: (typeof addresses)[number],
  where: Where,
  collection: (where: Where) => Promise<string>,
): Promise<Made> {
  const { record } = address
  const { visible } = record
  if (visible === 'own') return where === 'mine' ? groups.mine : groups.other
  const more: WireDraft = {}
  if (visible === 'groups') {
    const [field = ''] = Object.entries(record.fields).find(([, { target }]) => target === 'group') ?? []
    more[field] = groupIds(groups, where)
  } else if (visible && !isPersonal(visible)) {
    const [reference = ''] = [visible.through].flat()
    if (address.path.includes(`{${reference}}`))
      return make(account, address, more, { collection: await collection(where) })
    const parent = addressOf(record.fields[reference]?.target ?? '')
    more[reference] = (await madeIn(account, groups, parent, where, collectionsIn(account, groups, parent))).id
  }
  return make(account, address, more, { collection: await collection(where) })
}
