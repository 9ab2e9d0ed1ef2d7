import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

/** Words that once named things here and that a newcomer could not guess, with what is said instead. */
const retired: { [word: string]: string } = {
  aside: 'read worker',
  bad: 'InvalidLiteral',
  bell: 'change notifier',
  besides: 'preferReplica',
  deed: 'action',
  faulter: 'error collector',
  fault: 'field error',
  faults: 'errors',
  flow: 'stream body',
  heard: 'listener',
  horizon: 'head',
  house: 'definitions',
  lane: 'partition',
  lanes: 'partitions',
  linger: 'lingering close',
  misuse: 'usage error',
  naming: 'wire names',
  near: 'replica',
  noun: 'subresource',
  nouns: 'subresources',
  played: 'results',
  proof: 'verification report',
  proven: 'verified',
  quiet: 'unjournaled',
  rehearse: 'dry run, with rollback',
  settle: 'normalize',
  sight: 'visibility',
  slot: 'param',
  spoken: 'full message',
  synced: 'fsync',
  told: 'documentation, results',
  tells: 'docs',
  turns: 'group commit',
  undone: 'rolled back',
  wrong: 'validation error',
}

const files = globSync('src/**/*.ts').filter((file) => !file.includes('/demo/') && !file.endsWith('.test.ts'))

test('the glossary explains thirty words at most, in order', () => {
  const words = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(
    ([, word]) => word,
  )
  assert.ok(words.length > 0 && words.length <= 30, `${words.length} words`)
  assert.deepEqual(words, words.toSorted())
})

test('no file and no name goes back to a word that was given up', () => {
  const found = files.flatMap((file) => [
    ...(wordsOf(basename(file, '.ts')).some(isRetired) ? [`${file} itself`] : []),
    ...[...new Set(declaredIn(readFileSync(file, 'utf8')))].flatMap((name) => {
      // In snake_case it is a name of the wire, or of a file that is kept.
      const [word] = /^[a-z]+_/.test(name) ? [] : wordsOf(name).filter(isRetired)
      return word ? [`${file}: ${name}, now: ${retired[word]}`] : []
    }),
    ...[...readFileSync(file, 'utf8').matchAll(/\bconst ((?:MOST|LEAST)_\w+)/g)].map(
      ([, name]) => `${file}: ${name}, now: MAX or MIN`,
    ),
  ])
  assert.deepEqual(found, [])
})

test('comments name what is there: no word that was given up, no error that nobody throws', () => {
  const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const classes = new Set([
    'Error',
    ...texts.flatMap(({ text }) => [...text.matchAll(/\bclass (\w+)/g)].map(([, name]) => name)),
  ])
  const found = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/\/\*\*.*?\*\/|^\s*\/\/.*$|\s\/\/\s.*$/gms)].flatMap(([comment]) => [
      ...[...comment.matchAll(/`(\w+)(?:\.ts)?`/g)].flatMap(([, word = '']) =>
        isRetired(word) && !new RegExp(`\\b${word}\\b`).test(text.replace(comment, '')) ? [`${file}: ${word}`] : [],
      ),
      ...[...comment.matchAll(/@throws ([A-Z]\w+)/g)].flatMap(([, name]) =>
        classes.has(name) ? [] : [`${file}: @throws ${name}`],
      ),
    ]),
  )
  assert.deepEqual(found, [])
})

const isRetired = (word: string) => Object.hasOwn(retired, word)

/** `wasSeenBy` and `was-seen-by` are three words. */
const wordsOf = (name: string) => name.split(/[-_]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase())

/** What a file gives a name to: types, functions, classes and their members, constants. */
function declaredIn(text: string): string[] {
  const code = text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$|\s\/\/\s.*$/gm, '')
  const declarations = code.matchAll(
    /\b(?:function\*?|class|interface|type|const|let)\s+([A-Za-z_$][\w$]*)|^ {2}(?:private |readonly |protected |static |async )*([A-Za-z_$][\w$]*)(?=[?!]?[:(<])/gm,
  )
  return [...declarations].map(([, name = '', member = '']) => name || member)
}
