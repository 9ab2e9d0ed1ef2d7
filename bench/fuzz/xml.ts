import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFields } from '#fields'
import { xml } from '#formats/xml'
import { Problem } from '#problem'
import { records } from '#records'
import { root } from '../support/processes.ts'
import { Chance } from './random.ts'

/** Longer than this for one small document is a fault of its own. */
const SLOWEST_MS = 250

export interface Fuzzed {
  inputs: number
  /** Documents that were read, and those that were refused with a sentence. */
  read: number
  refused: number
  slowestMs: number
}

/**
 * Documents that are nearly right: those of the vectors, and an example of each record, with pieces taken out, doubled,
 * swapped and put in. Each is read into the fields of a record; whatever is thrown must be a refusal.
 * @throws Error with the document, for anything else
 */
export function fuzzXml(inputs: number, seed: number): Fuzzed {
  const chance = new Chance(seed)
  const corpus = documents().map((text) => text.match(/<[^>]*>|[^<]+|</g) ?? [])
  const names = ['r', ...records.flatMap(({ name, plural }) => [name, plural])]
  const found: Fuzzed = { inputs, read: 0, refused: 0, slowestMs: 0 }
  for (let i = 0; i < inputs; i++) {
    const bytes = spoiled(chance, mutated(chance, corpus))
    const { fields } = chance.pick(records)
    const read = () => timed(() => readFields(fields, xml.read(bytes, null, names, 'list'), { path: '', errors: [] }))
    const { error, ms } = read()
    if (error && !(error instanceof Problem)) throw told(`was answered by ${error}`, bytes, error)
    // Again, since the machine may have been busy with something else.
    if (ms > SLOWEST_MS && read().ms > SLOWEST_MS && read().ms > SLOWEST_MS) throw told(`took ${ms} ms`, bytes)
    found[error ? 'refused' : 'read']++
    found.slowestMs = Math.max(found.slowestMs, ms)
  }
  return found
}

function timed(work: () => void): { ms: number; error?: unknown } {
  const started = performance.now()
  try {
    work()
    return { ms: performance.now() - started }
  } catch (error) {
    return { ms: performance.now() - started, error }
  }
}

const told = (what: string, bytes: Buffer, cause?: unknown) =>
  new Error(`a document ${what}: ${JSON.stringify(bytes.toString('latin1'))}`, { cause })

function documents(): string[] {
  const vectors: { input: string }[] = JSON.parse(readFileSync(join(root, 'test/fixtures/parse.json'), 'utf8'))
  const examples = records.map(({ name, example }) => elementOf(name, example))
  return [...vectors.map(({ input }) => input), ...examples]
}

function elementOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return `<${name} nil="true"/>`
  if (Array.isArray(value))
    return `<${name} type="array">${value.map((item) => elementOf('item', item)).join('')}</${name}>`
  if (typeof value === 'object')
    return `<${name}>${Object.entries(value)
      .map(([key, item]) => elementOf(key, item))
      .join('')}</${name}>`
  const type = typeof value === 'number' ? ' type="integer"' : typeof value === 'boolean' ? ' type="boolean"' : ''
  return `<${name}${type}>${value}</${name}>`
}

/** What documents that want to do harm have in them. */
const hostile = [
  '<!DOCTYPE r [<!ENTITY a "aaaa">]>',
  '&a;&lt;&#0;&#xD800;&#x10FFFF;',
  '&#x41;',
  '<![CDATA[ ]]> ]]&gt;]]>',
  '<!-- -- -->',
  '<?xml version="1.1" encoding="UTF-16"?>',
  '<?php ?>',
  '</',
  '<',
  '>',
  ' nil="true"',
  ' type="array"',
  ' type="integer"',
  ' type="yaml"',
  ' xmlns:a="urn:a"',
  '<a:b/>',
  '<__proto__>1</__proto__>',
  '<constructor type="array"/>',
  '9'.repeat(400),
  '-0',
  '1e309',
  'NaN',
  '2026-02-30T25:61:61Z',
  '9999-12-31T23:59:59+24:00',
  '\u0000',
  '\ufffe',
  '\u{1f600}',
  '<d>'.repeat(101),
  '</d>'.repeat(101),
]

function mutated(chance: Chance, corpus: string[][]): string {
  const tokens = [...chance.pick(corpus)]
  for (let changes = chance.next(4); changes > 0 && tokens.length > 0; changes--) {
    const at = chance.next(tokens.length)
    const what = chance.next(7)
    if (what === 0) tokens.splice(at, 1)
    else if (what === 1) tokens.splice(at, 0, tokens[at] ?? '')
    else if (what === 2) tokens.splice(at, 0, chance.pick(hostile))
    else if (what === 3) tokens.splice(at, 0, ...chance.pick(corpus).slice(0, 20))
    else if (what === 4) {
      const other = chance.next(tokens.length)
      ;[tokens[at], tokens[other]] = [tokens[other] ?? '', tokens[at] ?? '']
    } else if (what === 5) {
      const token = tokens[at] ?? ''
      const cut = chance.next(token.length + 1)
      tokens[at] = token.slice(0, cut) + chance.pick(hostile) + token.slice(cut)
    } else tokens.splice(at)
  }
  return tokens.join('')
}

/** One in eight has a byte that is another. */
function spoiled(chance: Chance, text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 0 && chance.next(8) === 0) bytes[chance.next(bytes.length)] = chance.next(256)
  return bytes
}
