import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { records } from '#records'

interface Rule {
  /** Folders and files of `src` that may be imported. */
  may: string[]
  /** Those of which only types may be. */
  types?: string[]
}

/** Who may import whom; what is not here may import nothing but its own folder and packages. */
const layers: { [layer: string]: Rule } = {
  fields: { may: [] },
  records: { may: ['fields'] },
  problem: { may: [], types: ['fields'] },
  call: { may: [], types: ['fields', 'records', 'store'] },
  config: { may: [] },
  log: { may: [] },
  formats: { may: ['fields', 'problem'] },
  store: { may: ['fields', 'records', 'problem'] },
  rules: { may: ['fields', 'records', 'problem', 'call'], types: ['store'] },
  jobs: { may: ['fields', 'records', 'rules', 'store', 'formats', 'problem', 'call'], types: ['app'] },
  // A whole account out and in: files on the one side, the door of every write on the other.
  transfer: { may: ['fields', 'records', 'rules', 'formats', 'problem', 'call'], types: ['store', 'app'] },
  server: {
    may: ['fields', 'records', 'rules', 'formats', 'problem', 'call', 'transfer', 'jobs/queue'],
    types: ['store', 'app', 'config'],
  },
  // What is looked up for the figures; what counts them knows nothing of us.
  metrics: { may: ['jobs/webhook-queue'], types: ['app'] },
  client: { may: ['fields', 'records', 'formats/json', 'problem'] },
  // The operator's command starts the server, and writes through the same door as everybody.
  cli: {
    may: [
      'app',
      'config',
      'client',
      'jobs',
      'server',
      'call',
      'fields',
      'records',
      'formats',
      'metrics',
      'problem',
      'store',
      'transfer',
    ],
  },
  // The only place where the parts meet.
  app: {
    may: [
      'config',
      'log',
      'call',
      'fields',
      'formats',
      'jobs',
      'metrics',
      'problem',
      'records',
      'rules',
      'server',
      'store',
    ],
  },
}

/** Packages, and the only layers that know them. */
const owners: { [packaged: string]: string[] } = {
  kysely: ['store'],
  pg: ['store'],
  aws4fetch: ['store'],
  'node:sqlite': ['store'],
  fastify: ['server'],
  saxes: ['formats'],
  pino: ['app'],
  'prom-client': ['metrics'],
}

/** Layers that also run in a browser. */
const everywhere = ['fields', 'records', 'problem']

/** Names of records that the machine knows: who asks, and for which account. */
const known = ['account', 'accounts', 'user', 'users']
/** Handlers written by hand: each is about the records it names. */
const byHand = ['server/files.ts', 'server/candidates.ts', 'server/nouns.ts']

const files = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ path: normalize(file).replace(/^src\//, ''), text: readFileSync(file, 'utf8') }))

test('the folders import each other as the table says', () => {
  const broken = files.flatMap(({ path, text }) =>
    importsOf(path, text).flatMap(({ from, type }) => (allowed(path, from, type) ? [] : `${path} imports ${from}`)),
  )
  assert.deepEqual(broken, [])
})

test('every folder of the source is in the table', () => {
  assert.deepEqual(
    files.map(({ path }) => layerOf(path)).filter((layer) => !(layer in layers)),
    [],
  )
})

test('a package is known where it belongs and nowhere else', () => {
  const broken = files.flatMap(({ path, text }) =>
    importsOf(path, text).flatMap(({ from }) => {
      const layer = layerOf(path)
      const foreign = owners[from] && !owners[from].includes(layer)
      const grounded = everywhere.includes(layer) && !from.startsWith('src/')
      return foreign || grounded ? `${path} imports ${from}` : []
    }),
  )
  assert.deepEqual(broken, [])
})

test('the machinery does nothing by the name of a record', () => {
  const names = records.flatMap(({ name, plural, alias }) => [
    name,
    plural,
    ...(alias ? [alias.name, alias.plural] : []),
  ])
  const broken = files.flatMap(({ path, text }) => {
    if (
      !['fields', 'formats', 'store', 'server', 'transfer', 'client'].includes(layerOf(path)) ||
      byHand.includes(path)
    )
      return []
    // Compared with, chosen by, or looked up under: as against a word of the wire that a record happens to share.
    const branches = withoutComments(text).matchAll(
      /(?:[!=]==?|\bcase|\b(?:record|named|get|has|includes)\()\s*(['"`])(\w+)\1/g,
    )
    return [...branches].flatMap(([, , word = '']) =>
      names.includes(word) && !known.includes(word) ? `${path} names ${word}` : [],
    )
  })
  assert.deepEqual(broken, [])
})

test('no record is described outside of src/records, and nothing is exported as default', () => {
  for (const { path, text } of files) {
    assert.doesNotMatch(withoutComments(text), /^export default/m, path)
    if (layerOf(path) !== 'records') assert.doesNotMatch(withoutComments(text), /\brecord\('\w+', \{/, path)
  }
})

interface Import {
  /** `src/fields/kind.ts` for our own, else the package. */
  from: string
  type: boolean
}

function importsOf(path: string, text: string): Import[] {
  const statements = withoutComments(text).matchAll(
    /^(?:import|export)\s+(type\s)?\s*([^'"`;=()]*?)\s*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].flatMap(([, type, names = '', ...targets]) => {
    const target = targets.find((text) => text !== undefined) ?? ''
    const braces = /^\{(.*)\}$/s.exec(names)?.[1]
    const only = braces?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
    return { from: resolved(path, target), type: Boolean(type ?? only) }
  })
}

function resolved(path: string, target: string): string {
  if (target.startsWith('.')) return `src/${join(dirname(path), target)}`
  if (target.startsWith('#')) return `src/${target.slice(1)}`
  return target
}

function allowed(path: string, from: string, type: boolean): boolean {
  if (!from.startsWith('src/')) return true
  const [layer, target] = [layerOf(path), from.slice(4).replace(/\.ts$/, '')]
  const { may = [], types = [] } = layers[layer] ?? {}
  return [layer, ...may, ...(type ? types : [])].some((name) => target === name || target.startsWith(`${name}/`))
}

/** The folder, or the name of a file that lies in none. */
const layerOf = (path: string) => (path.split('/')[0] ?? path).replace(/\.ts$/, '')

const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$|\s\/\/\s.*$/gm, '')
