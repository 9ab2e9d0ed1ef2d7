import assert from 'node:assert/strict'
import type { Field, Fields, RecordType } from '#fields'
import { records as ours } from '#records'
import type { Element } from './element.ts'
import type { TestAccount } from './test-app.ts'

/** What a caller sends, in the JSON twin's form: numbers, decimals as text, lists of ids, nil as null. */
// biome-ignore lint/suspicious/noExplicitAny: drafts of any record
export type WireDraft = { [name: string]: any }

/** A record that was made over the wire. */
export interface Made {
  id: number | string
  /** `/v5/tags/5`, without an extension. */
  path: string
  /** As the JSON twin shows it. */
  row: WireDraft
}

/** A name that a record goes by, and where: its own, or its alias. */
export interface Address {
  record: RecordType
  name: string
  plural: string
  path: string
}

/** Every record that can be made at an address, and every alias. */
export const addressesOf = (records: RecordType[]): Address[] =>
  records.flatMap((record) => {
    if (record.path === null || record.without?.includes('create')) return []
    const own = { record, name: record.name, plural: record.plural, path: record.path }
    return record.alias ? [own, { record, ...record.alias }] : [own]
  })

export const addresses = addressesOf(ours)

export function addressOf(name: string, records = ours): Address {
  const found = addressesOf(records).find((address) => address.name === name)
  assert.ok(found, `no address for ${name}`)
  return found
}

let last = 0

/** A valid draft: the record's example, with whatever must be unique made so. */
export function draftOf(record: RecordType): WireDraft {
  const draft = structuredClone(record.example) as WireDraft
  const number = ++last
  for (const [name, field] of Object.entries(record.fields))
    if (field.unique && typeof draft[name] === 'string') draft[name] = distinct(field, draft[name], number)
  return draft
}

/** What says that something happened to a record, and what excludes the rest: not part of a draft that says everything. */
const happenings: { [record: string]: string[] } = {
  job: ['locked_at', 'pause_reason', 'confirmation', 'decline_reason', 'canceled_at', 'cancel_reason', 'paused_at'],
}

/** A draft that says everything a caller may say, with the records that it refers to made first. */
export async function fullDraftOf(account: TestAccount, record: RecordType, records = ours): Promise<WireDraft> {
  const draft = draftOf(record)
  for (const [name, field] of Object.entries(record.fields)) {
    if (!isSent(field) || field.lookup || field.virtual || happenings[record.name]?.includes(name)) continue
    if (field.target && field.shape === 'leaf') {
      const targets = await makeTargets(account, field, records)
      if (targets.length > 0) draft[name] = field.kind === 'ids' ? targets : targets[0]
      for (const [other, { lookup }] of Object.entries(record.fields))
        if (lookup?.[0] === name) draft[other] = undefined
    } else if (field.shape === 'links') {
      const targets = await makeTargets(account, field, records)
      draft[name] = targets.map((id) => ({ id, ...samplesOf(field.fields ?? {}) }))
    } else draft[name] ??= field.unique ? distinct(field, String(sampleOf(field)), ++last) : sampleOf(field)
  }
  await fit[record.name]?.(account, draft)
  return draft
}

/** What a record's rules ask of those it refers to. */
const fit: { [record: string]: (account: TestAccount, draft: WireDraft) => Promise<void> } = {
  async job(account, { worker_id, tag_ids, group_ids, customer_id, site_id }) {
    await account.request('PUT', `/v5/sites/${site_id}.json`, { body: { site: { customer_id } } })
    const tags = tag_ids.map((id: number) => ({ id, expires_at: '2999-01-01T00:00:00Z' }))
    const answer = await account.request('PUT', `/v5/users/${worker_id}.json`, { body: { user: { tags, group_ids } } })
    assert.equal(answer.status, 200, answer.text)
  },
  async recurrence(account, draft) {
    const { customer_id, site_id } = draft
    await account.request('PUT', `/v5/sites/${site_id}.json`, { body: { site: { customer_id } } })
    draft.exceptions = [{ ...draft.exceptions[0], date: '2025-12-01' }]
  },
}

/** Ids of the records that a field refers to: two for a list, none where that record can't be made over the wire. */
async function makeTargets(account: TestAccount, field: Field<unknown>, records: RecordType[]) {
  const target = addressesOf(records).find(({ record }) => record.name === field.target)
  if (!target) return []
  const ids = []
  for (let i = 0; i < (field.kind === 'ids' ? 2 : 1); i++) ids.push((await make(account, target)).id)
  return ids
}

function distinct(field: Field<unknown>, text: string, number: number): string {
  if (field.kind === 'email') return text.replace('@', `+${number}@`)
  return `${text} ${number}`
}

/** Whether a caller may say a field's value. */
export const isSent = (field: Field<unknown>) => !field.server && !field.internal && !field.auto

/** Whether an answer has a field. */
export const isShown = (field: Field<unknown>) => !field.internal && !field.writeOnly

/** A value that a caller may send for a field, unlike its default. */
export function sampleOf(field: Field<unknown>): unknown {
  if (field.shape === 'part') return samplesOf(field.fields ?? {})
  if (field.shape === 'array') return [samplesOf(field.fields ?? {})]
  if (field.shape === 'links' || field.shape === 'records' || field.kind === 'ids') return []
  if (field.kind === 'text') return 'é <b> & "x"'
  if (field.kind === 'secret') return 'correct horse battery'
  const good = field.samples.good.filter((sample) => sample !== field.default)
  const sample = good.find((value) => value !== '0.0' && value !== 0) ?? good[0]
  return sample === undefined ? null : field.json(sample as never)
}

function samplesOf(fields: Fields): WireDraft {
  const sent = Object.entries(fields).filter(([, field]) => isSent(field) && !field.target && !field.onlyWhen)
  return Object.fromEntries(sent.map(([name, field]) => [name, sampleOf(field)]))
}

/** Where records of an address are made and listed; the parents that its path names are made first. */
export async function collectionOf(account: TestAccount, { path, record }: Address, records = ours): Promise<string> {
  let filled = `/v5${path}`
  for (const [parameter, reference = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const parent = await make(account, addressOf(record.fields[reference]?.target ?? '', records), {}, { records })
    filled = filled.replace(parameter, String(parent.id))
  }
  return filled
}

export interface MakeOptions {
  /** Where, when it isn't a collection of its own. */
  collection?: string
  key?: string
  records?: RecordType[]
}

/** Makes a record over the wire, from its example and what is said here. */
export async function make(
  account: TestAccount,
  address: Address,
  more: WireDraft = {},
  { collection, key, records = ours }: MakeOptions = {},
): Promise<Made> {
  const where = collection ?? (await collectionOf(account, address, records))
  const body = { [address.name]: { ...draftOf(address.record), ...more } }
  const answer = await account.request('POST', `${where}.json`, { body, key })
  assert.equal(answer.status, 201, answer.text)
  const row = answer.json[address.name]
  return { id: row.id, path: `${where}/${row.id}`, row }
}

/** A draft as a body: JSON, or XML with the root's name. */
export function bodyOf(format: 'xml' | 'json', root: string, fields: Fields, draft: WireDraft): string {
  if (format === 'json') return JSON.stringify({ [root]: draft })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, childrenOf(fields, draft))}`
}

const childrenOf = (fields: Fields, draft: WireDraft): string =>
  Object.entries(draft)
    .map(([name, value]) => sent(name, fields[name], value))
    .join('')

function sent(name: string, field: Field<unknown> | undefined, value: unknown): string {
  if (value === undefined) return ''
  if (value === null) return `<${name} nil="true"/>`
  if (field?.kind === 'ids' && Array.isArray(value)) return element(name, value.join(', '))
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      element(
        field?.child ?? 'item',
        typeof item === 'object' ? childrenOf(field?.fields ?? {}, item) : escaped(String(item)),
      ),
    )
    return `<${name} type="array">${items.join('')}</${name}>`
  }
  if (typeof value === 'object') return element(name, childrenOf(field?.fields ?? {}, value as WireDraft))
  return element(name, escaped(String(value)))
}

const element = (name: string, inside: string) => `<${name}>${inside}</${name}>`

const escaped = (text: string) =>
  text.replace(/[&<>\r]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' })[c] ?? c)

/** An answer's XML in the JSON twin's form, read as the contract says and not as our reader does. */
export function valuesOf(fields: Fields, element: Element): WireDraft {
  return Object.fromEntries(element.children.map((child) => [child.name, oneValue(fields[child.name], child)]))
}

function oneValue(field: Field<unknown> | undefined, element: Element): unknown {
  if (!field) return element.isNil ? null : Number(element.text)
  if (field.kind === 'ids') return element.isNil ? [] : element.text.split(',').map(Number)
  if (field.shape === 'array' || field.shape === 'links' || field.shape === 'records')
    return element.children.map((child) => valuesOf(field.fields ?? {}, child))
  if (field.shape === 'list') return element.children.map(({ text }) => text)
  if (element.isNil) return null
  if (field.shape === 'part') return valuesOf(field.fields ?? {}, element)
  if (field.column === 'integer') return Number(element.text)
  if (field.column === 'boolean') return element.text === 'true'
  if (field.column === 'instant') return `${new Date(element.text).toISOString().slice(0, 19)}Z`
  return element.text
}

/** That everything which was sent is in what was read. */
export function assertHolds(read: unknown, sent: unknown, path = ''): void {
  if (Array.isArray(sent)) {
    assert.ok(Array.isArray(read) && read.length === sent.length, `${path} is ${JSON.stringify(read)}`)
    for (const [i, item] of sent.entries()) assertHolds(read[i], item, `${path}[${i}]`)
  } else if (typeof sent === 'object' && sent !== null) {
    assert.ok(typeof read === 'object' && read !== null, `${path} is ${JSON.stringify(read)}`)
    for (const [name, value] of Object.entries(sent))
      if (value !== undefined) assertHolds((read as WireDraft)[name], value, `${path}.${name}`)
  } else assert.equal(read, sent, path)
}
