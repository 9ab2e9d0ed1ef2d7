import assert from 'node:assert/strict'
import type { Fields } from '#fields'
import { job } from '#records/job'
import { subresources } from '#records/subresources'
import { bodyOf, valuesOf, type WireDraft } from './builders.ts'
import type { Answered, Asked, Request } from './client.ts'
import type { FormatName } from './loops.ts'

/** An answer about a job or a noun of it, whichever format it came in. */
export interface Told {
  status: number
  /** The record or the noun in the JSON twin's form; nothing in it for a refusal. */
  row: WireDraft
  errors: string[]
  /** Codes of the warnings. */
  warnings: string[]
  answer: Answered
}

export interface Jobs {
  format: FormatName
  create(draft: WireDraft): Promise<Told>
  show(id: number): Promise<Told>
  update(id: number, draft: WireDraft): Promise<Told>
  remove(id: number): Promise<Told>
  /** The verbs of a noun: `on(5, 'completion', 17)`. */
  on(id: number, noun: string, step?: number): Noun
}

export interface Noun {
  get(): Promise<Told>
  post(said?: WireDraft): Promise<Told>
  delete(): Promise<Told>
}

/** Jobs and what happens to them, over one format, said and told in the JSON twin's form. */
export function jobsIn(format: FormatName, request: Request): Jobs {
  const jobs = (method: string, path: string, draft?: WireDraft) => ask(method, path, 'job', job.fields, draft)
  return {
    format,
    create: (draft) => jobs('POST', '/jobs', draft),
    show: (id) => jobs('GET', `/jobs/${id}`),
    update: (id, draft) => jobs('PUT', `/jobs/${id}`, draft),
    remove: (id) => jobs('DELETE', `/jobs/${id}`),
    on(id, name, step) {
      const noun = subresources.find((one) => one.name === name)
      assert.ok(noun, `no noun ${name}`)
      const path = noun.path.replace('{id}', String(id)).replace('{step_id}', String(step))
      const at = (method: string, said?: WireDraft) => ask(method, path, name, noun.fields, said)
      return { get: () => at('GET'), post: (said) => at('POST', said), delete: () => at('DELETE') }
    },
  }

  async function ask(method: string, path: string, root: string, fields: Fields, draft?: WireDraft): Promise<Told> {
    const asked: Asked = draft === undefined ? {} : { body: bodyOf(format, root, fields, draft) }
    const answer = await request(method, `/v5${path}.${format}`, asked)
    const row = answer.status >= 300 ? {} : format === 'json' ? answer.json[root] : valuesOf(fields, answer.xml)
    return {
      status: answer.status,
      row,
      errors: answer.status < 400 ? [] : answer.errors,
      warnings: warningsOf(format, answer),
      answer,
    }
  }
}

function warningsOf(format: FormatName, answer: Answered): string[] {
  if (format === 'xml') return String(answer.headers['x-muster-warnings'] ?? '').match(/\w+/g) ?? []
  const told: { code: string }[] = answer.status < 400 ? (answer.json.warnings ?? []) : []
  return [...new Set(told.map(({ code }) => code))]
}

/** The answer of something that must have worked. */
export async function done(doc: Promise<Told> | Told): Promise<WireDraft> {
  const { status, row, answer } = await doc
  assert.ok(status === 200 || status === 201, `${status} ${answer.text}`)
  return row
}

/** That something was refused, with these sentences. */
export async function refused(doc: Promise<Told> | Told, ...sentences: (string | RegExp)[]): Promise<Told> {
  const all = await doc
  assert.equal(all.status, 422, all.answer.text)
  assert.equal(all.errors.length, sentences.length, all.answer.text)
  for (const [i, sentence] of sentences.entries())
    if (typeof sentence === 'string') assert.equal(all.errors[i], sentence)
    else assert.match(String(all.errors[i]), sentence)
  return all
}
