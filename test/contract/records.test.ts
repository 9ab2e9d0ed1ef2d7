import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Field, RecordType } from '#fields'
import {
  assertHolds,
  bodyOf,
  collectionOf,
  draftOf,
  fullDraftOf,
  isSent,
  isShown,
  make,
  sampleOf,
  valuesOf,
  type WireDraft,
} from '#test/builders'
import type { Answered } from '#test/client'
import { eventsOf } from '#test/database-content'
import { eachAddress, type FormatName, formats } from '#test/loops'

/** What a rule of the record keeps from being cleared, or fills again; the rest clears. */
const kept: { [record: string]: string[] } = {
  // A job has a customer and at least one step, takes an hour when nobody says, and is not urgent. (docs/contract.md#jobs)
  job: ['customer_id', 'steps', 'planned_duration', 'priority'],
  // A site is somebody's.
  site: ['customer_id'],
  // Somebody's, too; and what is made is not made again.
  recurrence: ['customer_id', 'made_through'],
  // What a key makes is shared.
  view: ['shared'],
  // Who has no permission left is no worker any more, so that address loses the record.
  worker: ['permissions'],
}

/** What a change of one field takes with it. */
const follows: { [record: string]: { [field: string]: string[] } } = {
  // Another worker is asked anew.
  job: { worker_id: ['published_at'] },
}

eachAddress(
  () => true,
  (address, turn) => {
    const { record, name } = address
    const fields = Object.entries(record.fields)
    const sent = fields.filter(([, field]) => isSent(field) && !field.lookup && !field.virtual)

    for (const format of formats)
      describe(`as ${format}`, () => {
        const body = (draft: WireDraft) => bodyOf(format, name, record.fields, draft)
        const row = (answer: Answered) => rowOf(answer, format, name, record.fields)

        test('a create answers 201 with the record and a Location that leads to it', async () => {
          const { account, app } = turn
          const collection = await collectionOf(account, address)
          const made = await account.request('POST', `${collection}.${format}`, { body: body(draftOf(record)) })
          assert.equal(made.status, 201, made.text)
          const location = String(made.headers.location)
          assert.ok(location.startsWith(`${app.base}/`), location)
          assert.equal(location.split('/').at(-1), String(row(made).id))
          const there = await account.request('GET', `${location.slice(app.base.length)}.${format}`)
          assert.equal(there.status, 200, location)
          assert.equal(there.text, withoutOnce(made.text, record, format))
          const shown = await account.request('GET', `${collection}/${row(made).id}.${format}`)
          assert.equal(shown.text, withoutOnce(made.text, record, format))
        })

        test('everything that was sent is read back, field by field and in the order of the description', async () => {
          const { account } = turn
          const draft = await fullDraftOf(account, record)
          const collection = await collectionOf(account, address)
          const made = await account.request('POST', `${collection}.${format}`, { body: body(draft) })
          assert.equal(made.status, 201, made.text)
          assertHolds(row(made), shownOf(record.fields, draft))
          assert.deepEqual(
            Object.keys(row(made)),
            fields.filter(([, field]) => isShown(field) || field.showOnce).map(([field]) => field),
          )
        })

        test('what is shown is the same in both formats', async () => {
          const { path } = await make(turn.account, address, await fullDraftOf(turn.account, record))
          const other = format === 'xml' ? 'json' : 'xml'
          const here = await turn.account.request('GET', `${path}.${format}`)
          const there = await turn.account.request('GET', `${path}.${other}`)
          assert.deepEqual(row(here), rowOf(there, other, name, record.fields))
        })

        for (const [field, { required, shape, server }] of fields) {
          if (!required || server || shape !== 'leaf') continue
          for (const [what, value] of Object.entries({
            absent: undefined,
            nil: null,
            empty: '',
            'white space': ' \n ',
          }))
            test(`a create with ${field} ${what} is refused and makes nothing`, async () => {
              const { account } = turn
              const { collection } = await somewhere()
              const before = await total(collection)
              const { [field]: _, ...draft } = draftOf(record)
              if (value !== undefined) draft[field] = value
              const answer = await account.request('POST', `${collection}.${format}`, { body: body(draft) })
              assert.equal(answer.status, 422, answer.text)
              assert.deepEqual(answer.errors, [`${human(field)} can't be blank`])
              assert.equal(await total(collection), before)
            })

          test(`an update that clears ${field} is refused and changes nothing`, async () => {
            const { path } = await make(turn.account, address)
            const before = await turn.account.request('GET', `${path}.${format}`)
            const answer = await turn.account.request('PUT', `${path}.${format}`, { body: body({ [field]: null }) })
            assert.equal(answer.status, 422, answer.text)
            assert.deepEqual(answer.errors, [`${human(field)} can't be blank`])
            assert.equal((await turn.account.request('GET', `${path}.${format}`)).text, before.text)
          })
        }

        for (const [field, { fields: inner = {}, shape }] of sent) {
          const must = Object.entries(inner).filter(([, { required, server }]) => required && !server)
          if (shape !== 'array' || must.length === 0) continue
          test(`a blank field inside of ${field} is told with its place`, async () => {
            const { collection } = await somewhere()
            const whole = Object.fromEntries(must.map(([child, described]) => [child, sampleOf(described)]))
            const draft = { ...draftOf(record), [field]: [whole, { ...whole, [must[0]?.[0] ?? '']: null }] }
            const answer = await turn.account.request('POST', `${collection}.${format}`, { body: body(draft) })
            assert.equal(answer.status, 422, answer.text)
            assert.deepEqual(answer.errors, [`${human(field)} 2 ${must[0]?.[0]} can't be blank`])
          })
        }

        test('all faults are told at once', async () => {
          const faulty = sent.filter(([, { samples, shape }]) => shape === 'leaf' && samples.bad.some(isWord))
          const draft = Object.fromEntries(faulty.map(([field, { samples }]) => [field, samples.bad.find(isWord)]))
          const { collection } = await somewhere()
          const answer = await turn.account.request('POST', `${collection}.${format}`, {
            body: body({ ...draftOf(record), ...draft }),
          })
          if (faulty.length === 0) return assert.equal(answer.status, 201, answer.text)
          assert.equal(answer.status, 422, answer.text)
          for (const [field] of faulty)
            assert.ok(
              answer.errors.some((sentence) => sentence.startsWith(`${human(field)} `)),
              `${field}: ${answer.text}`,
            )
        })

        test('an update changes what it says, leaves alone what it does not say, and clears what is nil', async () => {
          const { account } = turn
          const made = await make(account, address, await fullDraftOf(account, record))
          for (const [field, described] of sent) {
            if (described.required || described.writeOnly || described.shape === 'records') continue
            if ([...(kept[record.name] ?? []), ...(kept[name] ?? [])].includes(field)) continue
            const before = row(await account.request('GET', `${made.path}.${format}`))
            const cleared = await account.request('PATCH', `${made.path}.${format}`, { body: body({ [field]: null }) })
            assert.equal(cleared.status, 200, `${field}: ${cleared.text}`)
            assert.deepEqual(row(cleared)[field], clearedValue(described), field)
            assert.deepEqual(othersThan(field, row(cleared)), othersThan(field, before), `others than ${field}`)
            const again = shownOf(record.fields, { [field]: before[field] })
            const restored = await account.request('PUT', `${made.path}.${format}`, { body: body(again) })
            assert.equal(restored.status, 200, `${field}: ${restored.text}`)
            assertHolds(row(restored), withoutServers(described, again))
            assert.deepEqual(othersThan(field, row(restored)), othersThan(field, before), `others than ${field}`)
            assert.equal((await account.request('GET', `${made.path}.${format}`)).text, restored.text)
          }
        })

        test('sending back what was read changes nothing, not even the time of change', async () => {
          const { account, app } = turn
          const { path } = await make(account, address, await fullDraftOf(account, record))
          const read = await account.request('GET', `${path}.${format}`)
          const events = await eventsOf(app.app, account.account.id)
          for (const method of ['PUT', 'PATCH']) {
            const answer = await account.request(method, `${path}.${format}`, { body: read.text })
            assert.equal(answer.status, 200, answer.text)
            assert.equal(answer.text, read.text)
          }
          assert.equal((await account.request('GET', `${path}.${format}`)).text, read.text)
          // Times are shown in whole seconds; the journal would tell of a change within one.
          assert.deepEqual((await eventsOf(app.app, account.account.id)).slice(events.length), [])
        })

        test('what the server sets is ignored when it comes in', async () => {
          const { account } = turn
          const made = await make(account, address)
          const before = await account.request('GET', `${made.path}.${format}`)
          const theirs = fields.filter(([, field]) => isShown(field) && !isSent(field))
          const draft = Object.fromEntries(
            theirs.map(([field, described]) => [field, described.kind === 'ids' ? [1] : sampleOf(described)]),
          )
          const answer = await account.request('PUT', `${made.path}.${format}`, {
            body: body(draft),
          })
          assert.equal(answer.status, 200, answer.text)
          assert.equal(answer.text, before.text)
        })

        test('a name that no field has is passed over: in silence in XML, with a warning in JSON', async () => {
          const { account } = turn
          const made = await make(account, address)
          const before = await account.request('GET', `${made.path}.${format}`)
          const answer = await account.request('PUT', `${made.path}.${format}`, { body: body({ no_such_field: 'x' }) })
          if (format === 'xml') return assert.equal(answer.text, before.text)
          const { warnings, ...rest } = answer.json
          assert.deepEqual(rest, before.json)
          assert.deepEqual(
            warnings.map(({ field, code }: WireDraft) => [field, code]),
            [['no_such_field', 'unknown_field']],
          )
        })

        for (const [field, described] of fields) {
          if (!described.unique || !isSent(described)) continue
          test(`a ${field} that is taken is refused, and is free again after a delete`, async () => {
            const { account } = turn
            const { collection } = await somewhere()
            const full = await fullDraftOf(account, record)
            const first = await make(account, address, full, { collection })
            const second = { ...draftOf(record), [field]: full[field] }
            const post = () => account.request('POST', `${collection}.${format}`, { body: body(second) })

            const refused = await post()
            assert.equal(refused.status, 422, refused.text)
            assert.deepEqual(refused.errors, [`${human(field)} has already been taken`])
            const shouted = body({ ...draftOf(record), [field]: String(full[field]).toUpperCase() })
            const inCapitals = await account.request('POST', `${collection}.${format}?dry_run=true`, { body: shouted })
            assert.equal(inCapitals.status, described.caseless ? 422 : 201, inCapitals.text)
            const other = await make(account, address, {}, { collection })
            const update = await account.request('PUT', `${other.path}.${format}`, {
              body: body({ [field]: full[field] }),
            })
            assert.deepEqual(update.errors, [`${human(field)} has already been taken`])
            const itself = await account.request('PUT', `${first.path}.${format}`, {
              body: body({ [field]: full[field] }),
            })
            assert.equal(itself.status, 200, itself.text)

            assert.equal((await account.request('DELETE', `${first.path}.${format}`)).status, 200)
            const made = await post()
            assert.equal(made.status, 201, made.text)
          })

          test(`a ${field} of another account is free`, async () => {
            const stranger = await turn.app.newAccount()
            const { row: taken } = await make(stranger, address, await fullDraftOf(stranger, record))
            assert.equal((await make(turn.account, address, { [field]: taken[field] })).row[field], taken[field])
          })
        }

        test('a delete answers the record as it last was; then it is gone from every verb and list', async () => {
          const { account } = turn
          const { collection } = await somewhere()
          const { path } = await make(account, address, {}, { collection })
          const before = await total(collection)
          const last = await account.request('GET', `${path}.${format}`)
          const gone = await account.request('DELETE', `${path}.${format}`)
          assert.equal(gone.status, 200, gone.text)
          assert.equal(gone.text, last.text)
          const never = await account.request('GET', `${path.replace(/[^/]+$/, absent(record.fields.id))}.${format}`)
          assert.equal(never.status, 404)
          for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
            const asked = method.startsWith('P') ? { body: body(draftOf(record)) } : {}
            const answer = await account.request(method, `${path}.${format}`, asked)
            assert.equal(answer.status, 404, method)
            if (method !== 'HEAD') assert.equal(answer.text, never.text, 'the same as one that never was')
          }
          assert.equal(await total(collection), before - 1)
        })

        test('HEAD is GET without its body', async () => {
          const { path } = await make(turn.account, address)
          const whole = await turn.account.request('GET', `${path}.${format}`)
          const head = await turn.account.request('HEAD', `${path}.${format}`)
          assert.equal(head.bytes.length, 0)
          for (const header of ['etag', 'content-type', 'content-encoding', 'content-length', 'vary', 'status'])
            assert.equal(head.headers[header], whole.headers[header], header)
        })

        async function somewhere() {
          return { collection: await collectionOf(turn.account, address) }
        }
        async function total(collection: string): Promise<number> {
          return (await turn.account.request('GET', `${collection}.json?per_page=1`)).json.total_entries
        }
      })

    /** Those that a caller set and that follow from no other. */
    function othersThan(field: string, row: WireDraft): WireDraft {
      return Object.fromEntries(
        Object.entries(row).filter(([other]) => {
          const described = record.fields[other] as Field<unknown>
          const mayChange = other === field || follows[record.name]?.[field]?.includes(other)
          return !mayChange && isSent(described) && described.lookup?.[0] !== field
        }),
      )
    }
  },
)

const isWord = (raw: unknown) => typeof raw === 'string' && raw.trim() !== '' && !raw.includes('\0')

const human = (name: string) => {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const absent = (id: Field<unknown> | undefined) =>
  id?.column === 'uuid' ? '01890a5d-ac96-774b-bcce-b302099a8057' : '999999999'

/** A record out of an answer, in the JSON twin's form. */
function rowOf(answer: Answered, format: FormatName, root: string, fields: Parameters<typeof valuesOf>[0]): WireDraft {
  if (format === 'json') {
    assert.deepEqual(Object.keys(answer.json), [root])
    return answer.json[root]
  }
  assert.equal(answer.xml.name, root)
  return valuesOf(fields, answer.xml)
}

/** What of a draft an answer shows. */
const shownOf = (fields: { [name: string]: Field<unknown> }, draft: WireDraft): WireDraft =>
  Object.fromEntries(Object.entries(draft).filter(([name]) => fields[name] && isShown(fields[name] as Field<unknown>)))

function clearedValue({ shape, default: fallback, neverNil, fields = {} }: Field<unknown>): unknown {
  if (shape === 'part' && (fallback || neverNil))
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, clearedValue(field)]))
  return fallback ?? null
}

/** Ids and stamps of what stands inside are made anew with it. */
function withoutServers(field: Field<unknown>, draft: WireDraft): WireDraft {
  const cut = (value: unknown, inner: { [name: string]: Field<unknown> }): unknown => {
    if (Array.isArray(value)) return value.map((item) => cut(item, inner))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => (name === 'id' ? field.shape === 'links' : inner[name] && isSent(inner[name])))
        .map(([name, item]) => [name, cut(item, inner[name]?.fields ?? {})]),
    )
  }
  return Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, cut(value, field.fields ?? {})]))
}

/** What an answer to a create says later on: without what is shown only once. */
function withoutOnce(text: string, { fields }: RecordType, format: FormatName): string {
  return Object.keys(fields)
    .filter((field) => fields[field]?.showOnce)
    .reduce(
      (rest, field) =>
        rest.replace(
          format === 'xml' ? new RegExp(` *<${field}>.*</${field}>\n`) : new RegExp(`"${field}":"[^"]*",`),
          '',
        ),
      text,
    )
}
