import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { records } from '#records'
import { circlesOf, importsOf, withoutComments } from '#test/imports'

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
  limits: { may: [] },
  call: { may: ['records'], types: ['fields', 'store'] },
  config: { may: ['problem'] },
  log: { may: ['call'] },
  formats: { may: ['fields', 'problem', 'limits'] },
  store: { may: ['fields', 'records', 'problem', 'limits'] },
  rules: { may: ['fields', 'records', 'problem', 'call'], types: ['store'] },
  tasks: {
    may: ['fields', 'records', 'rules', 'store', 'formats', 'problem', 'call'],
    types: ['app', 'config', 'log'],
  },
  // A whole account out and in: files on the one side, the door of every write on the other.
  transfer: { may: ['fields', 'records', 'rules', 'formats', 'problem', 'call'], types: ['store', 'app'] },
  server: {
    // Of the store, types, and the bound of tries that both keep.
    may: ['fields', 'records', 'rules', 'formats', 'problem', 'limits', 'call', 'transfer', 'maps', 'store/tries'],
    types: ['store', 'app', 'config'],
  },
  // Servers of maps that the operator named: what they say is asked here, and nowhere else.
  maps: { may: ['rules'] },
  // Certificates, and the plain HTTP beside HTTPS.
  tls: { may: ['problem'], types: ['config'] },
  // What is looked up for the figures; what counts them knows nothing of us.
  metrics: { may: ['fields', 'tasks/webhook-backlog', 'tasks/notice-backlog'], types: ['app', 'log'] },
  // The operator's command starts the server, and writes through the same door as everybody.
  cli: {
    may: [
      'app',
      'config',
      'log',
      'tasks',
      'server',
      'rules/secrets',
      'call',
      'fields',
      'limits',
      'records',
      'formats',
      'metrics',
      'problem',
      'store',
      'tls',
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
      'maps',
      'tasks',
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
  pino: ['app', 'log'],
  otpauth: ['rules'],
  'rrule-temporal': ['rules'],
  nodemailer: ['tasks'],
  'prom-client': ['metrics'],
}

/** Layers that also run in a browser. */
const everywhere = ['fields', 'records', 'problem']

/** Names of records that the machine knows: who asks, and for which account. */
const known = ['account', 'accounts', 'user', 'users']
/** Handlers written by hand: each is about the records it names. */
const byHand = [
  'server/routes/files.ts',
  'server/routes/candidates.ts',
  'server/routes/suggestions.ts',
  'server/routes/subresources.ts',
]

const files = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ path: file.slice('src/'.length), text: readFileSync(file, 'utf8') }))

test('the folders import each other as the table says', () => {
  const broken = files.flatMap(({ path, text }) =>
    importsOf(`src/${path}`, text).flatMap(({ from, type }) =>
      allowed(path, from, type) ? [] : `${path} imports ${from}`,
    ),
  )
  assert.deepEqual(broken, [])
})

test('every folder of the source is in the table', () => {
  assert.deepEqual(
    files.map(({ path }) => layerOf(path)).filter((layer) => !(layer in layers)),
    [],
  )
})

/** What the folders of `web` may import beside their own; the screens of the office know the files beside their folders, and not each other. */
const webLayers: { [layer: string]: string[] } = {
  client: ['src/fields', 'src/records', 'src/formats/entry', 'src/formats/json', 'src/problem'],
  ui: ['src/fields', 'src/records', 'web/client'],
  office: ['src/fields', 'src/records', 'web/client', 'web/ui'],
  phone: ['src/fields', 'src/records', 'web/client', 'web/ui'],
}

/** Folders of the office that are no screens, but what several of them show. */
const ofScreens = ['job']

test('what runs in a browser knows descriptions, the client and the parts, and no screen knows another', () => {
  const sources = globSync('web/{client,ui,office,phone}/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file))
  assert.ok(sources.length > 20)
  const broken = sources.flatMap((file) =>
    importsOf(file, readFileSync(file, 'utf8')).flatMap(({ from: target }) => {
      const [, layer = '', folder = ''] = /^web\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
      // What does not begin with one of our folders is a package.
      if (!/^(web|src)\//.test(target)) return []
      const [, toLayer = '', toFolder = ''] = /^web\/([^/]+)\/(?:([^/]+)\/)?/.exec(target) ?? []
      const allowed =
        toLayer === layer
          ? layer !== 'office' || folder === '' || toFolder === folder || ['', ...ofScreens].includes(toFolder)
          : (webLayers[layer] ?? []).some((name) => target.startsWith(name))
      return allowed ? [] : `${file} imports ${target}`
    }),
  )
  assert.deepEqual(broken, [])
})

/** Files whose types may be imported by what they import themselves, and why; at run time nothing leads back. */
const typesLeadBack: { [file: string]: string } = {
  'src/server/http/request.ts': 'a handler is given a request, which has the app, which has the table of all handlers',
  'web/office/schedule/desk.ts':
    'the desk has the acts, what is in the hand and the suggestions, and each works on the desk',
}

test('no files import each other in a circle, types included, but those that say why', () => {
  const sources = globSync(['src/**/*.ts', 'web/{client,ui,office,phone}/**/*.{ts,tsx}']).filter(
    (file) => !/\.test\.tsx?$/.test(file),
  )
  const graph = new Map(
    sources.map((file) => {
      const imports = importsOf(file, readFileSync(file, 'utf8'))
      return [file, imports.filter(({ from, type }) => !(type && from in typesLeadBack)).map(({ from }) => from)]
    }),
  )
  assert.deepEqual(circlesOf(graph), [])
})

test('a package is known where it belongs and nowhere else', () => {
  const broken = files.flatMap(({ path, text }) =>
    importsOf(`src/${path}`, text).flatMap(({ from }) => {
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
    if (!['fields', 'formats', 'store', 'server', 'transfer'].includes(layerOf(path)) || byHand.includes(path))
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

test('nobody sees past their scope but by asSystem, which says why', () => {
  const free = files.filter(
    ({ path, text }) => /groups: null/.test(text) && path !== 'call.ts' && layerOf(path) !== 'store',
  )
  assert.deepEqual(
    free.map(({ path }) => path),
    [],
  )
})

/** Machinery that handles rows of any record; everything else knows whose rows it has, and their fields. */
const anyRecord = [
  'fields/',
  'formats/',
  'store/',
  'transfer/',
  'records/event.ts',
  'rules/abilities.ts',
  'rules/changes.ts',
  'rules/field-errors.ts',
  'rules/idempotency.ts',
  'rules/merge-base.ts',
  'rules/merge-draft.ts',
  'rules/mutation.ts',
  'rules/mutations.ts',
  'rules/past.ts',
  'rules/references.ts',
  'rules/row-writer.ts',
  'rules/sync.ts',
  'rules/undo.ts',
  'rules/visible-events.ts',
  'rules/worker-draft.ts',
  'server/http/base.ts',
  'server/http/client-id.ts',
  'server/http/page.ts',
  'server/http/precondition.ts',
  'server/http/print-all.ts',
  'server/http/response.ts',
  'server/http/selection.ts',
  'server/routes/row.ts',
  'server/routes/verbs.ts',
]

test('rules, handlers and tasks name the fields of their records: a row of any record is for the machinery', () => {
  const broken = files.filter(
    ({ path, text }) =>
      ['rules', 'server', 'tasks', 'records', 'call'].includes(layerOf(path)) &&
      !anyRecord.some((known) => path.startsWith(known)) &&
      /\bRawRow\b/.test(withoutComments(text)),
  )
  assert.deepEqual(
    broken.map(({ path }) => path),
    [],
  )
})

/** Where a value is forced to be of another type, since its library says less of it than it is. */
const forced = [
  'cli/backup/archive.ts',
  'metrics/',
  'store/postgres-notifier.ts',
  'transfer/archive.ts',
  'fields/kind.ts',
]

test('no value is forced to be of another type, but where a library says less than it gives', () => {
  const broken = files.filter(
    ({ path, text }) =>
      /\bas (never|any)\b/.test(withoutComments(text)) ||
      (/\bas unknown as\b/.test(withoutComments(text)) && !forced.some((known) => path.startsWith(known))),
  )
  assert.deepEqual(
    broken.map(({ path }) => path),
    [],
  )
})

test('no record is described outside of src/records, and nothing is exported as default', () => {
  for (const { path, text } of files) {
    assert.doesNotMatch(withoutComments(text), /^export default/m, path)
    if (layerOf(path) !== 'records') assert.doesNotMatch(withoutComments(text), /\brecord\('\w+', \{/, path)
  }
})

function allowed(path: string, from: string, type: boolean): boolean {
  if (!from.startsWith('src/')) return true
  const [layer, target] = [layerOf(path), from.slice(4).replace(/\.ts$/, '')]
  const { may = [], types = [] } = layers[layer] ?? {}
  return [layer, ...may, ...(type ? types : [])].some((name) => target === name || target.startsWith(`${name}/`))
}

/** The folder, or the name of a file that lies in none. */
const layerOf = (path: string) => (path.split('/')[0] ?? path).replace(/\.ts$/, '')
