/**
 * `npm test`: the type check, the lint, the regular expressions, then every test. What passes takes one line a file, what fails is told in full.
 *
 *   npm test                everything
 *   npm test -- xml tag     the checks, and the test files with one of these words in their path
 *   npm run check           the checks only
 *   npm run snapshots       everything, writing the snapshots instead of comparing with them
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { inspect, parseArgs } from 'node:util'
import { installPackages } from '../web/build/packages.ts'
import { startPostgres } from './support/postgres-server.ts'

/** What waits for ever must fail, not hang: longer than any test takes, and than all of them do. */
const [testTimeout, runTimeout] = [5 * 60_000, 30 * 60_000]

const root = resolve(import.meta.dirname, '..')
process.chdir(root)

const { values: flags, positionals: words } = parseArgs({
  options: { 'only-checks': { type: 'boolean' }, 'update-snapshots': { type: 'boolean' } },
  allowPositionals: true,
})
if (flags['update-snapshots']) process.env.UPDATE_SNAPSHOTS = '1'

const total = { passed: 0, failed: 0 }
const skipped: string[] = []

installPackages()
check('types', 'node_modules/typescript/bin/tsc', '--noEmit')
for (const part of ['web', 'web/build'])
  check(`types of ${part}`, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', part)
check('lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`)
check('expressions', '--disable-warning=ExperimentalWarning', 'test/expressions.ts')
if (!flags['only-checks']) await tests()

// Whoever names the databases knows that the others' tests don't run.
const allowed = process.env.DATABASES !== undefined
if (skipped.length > 0) console.log(`\nSkipped${allowed ? '' : ', which is not allowed'}:\n  ${skipped.join('\n  ')}`)
if (total.failed > 0 || (skipped.length > 0 && !allowed)) process.exitCode = 1
console.log(`\n${total.passed} passed, ${total.failed} failed`)

function check(name: string, ...command: string[]) {
  const started = performance.now()
  const passed = spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
  total[passed ? 'passed' : 'failed']++
  report(passed, name, performance.now() - started)
}

async function tests() {
  const places = ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/{client,ui,office,phone,test}/**/*.test.ts']
  const files = globSync(places, { exclude: ['**/node_modules/**'] })
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort()
  if (files.length === 0) {
    if (words.length > 0) {
      total.failed++
      console.log(`no test file has ${words.join(' or ')} in its path`)
    }
    return
  }

  // One PostgreSQL for all files; each makes databases of its own in it.
  const postgres = process.env.DATABASES === 'sqlite' ? null : await startPostgres()
  if (postgres) process.env.TEST_POSTGRES_URL = postgres.url
  await runFiles(files)
  // These made their apps on the first database; unless somebody chose, each says its promises of the other one too.
  const others = process.env.DATABASES ? [] : files.filter(isOnOneDatabase)
  if (others.length > 0) await runFiles(others, 'postgres')
  await postgres?.stop()
}

/** Whether a file starts apps and leaves it to the environment where they keep their records. */
function isOnOneDatabase(file: string) {
  const text = readFileSync(file, 'utf8')
  return /\bstartApp\(/.test(text) && !/#test\/databases'|\beachAddress\(/.test(text)
}

/** Runs test files; with a database, on that one only. */
async function runFiles(files: string[], database?: string) {
  const on = database ? ` (${database})` : ''
  const failures: string[] = []
  const failed = new Set<string>()
  const printed = new Map<string, string>()
  const keep = (data: { file?: string; message: string }) =>
    printed.set(path(data), (printed.get(path(data)) ?? '') + data.message)

  // The names above a test, by depth: node:test tells one file after the other, and of a group before what is in it.
  let names: string[] = []
  const title = (data: Outcome) =>
    [`${path(data)}:${data.line ?? 1}${on}`, ...names.slice(0, data.nesting), data.name].join(' › ')
  const isFile = (data: Outcome) => data.nesting === 0 && path(data) === data.name
  const wasSkipped = (data: Outcome) => data.skip !== undefined || data.todo !== undefined

  const signal = AbortSignal.timeout(runTimeout)
  const env = { ...process.env, ...(database && { DATABASES: database }) }
  // One more than there are cores, since many wait for a disk, or for a time to pass.
  const concurrency = availableParallelism() + 1
  const stream = run({ files, env, concurrency, timeout: testTimeout, signal })
  stream.on('test:stdout', keep)
  stream.on('test:stderr', keep)
  stream.on('test:diagnostic', (data) => {
    if (data.file) keep({ file: data.file, message: `${data.message}\n` })
  })
  stream.on('test:start', (data) => {
    names = [...names.slice(0, data.nesting), data.name]
  })
  stream.on('test:pass', (data) => {
    if (wasSkipped(data)) skipped.push(title(data))
    else if (isFile(data)) skipped.push(`${data.name}${on}, which has no test`)
  })
  stream.on('test:fail', (data) => {
    const error: Error & { failureType?: string; exitCode?: number | null; signal?: string | null } = data.details.error
    if (wasSkipped(data)) {
      skipped.push(title(data))
    } else if (isFile(data)) {
      const end = error.signal ?? (error.exitCode == null ? error.message : `exit code ${error.exitCode}`)
      report(false, `${data.name}${on}`, data.details.duration_ms)
      failures.push(`${data.name}${on} ended with ${end}`)
      failed.add(data.name)
    } else if (error.failureType !== 'subtestsFailed') {
      // A group fails for those in it, who tell why; or by itself, in its hooks, which node:test counts nowhere.
      if (data.details.type === 'suite') total.failed++
      failures.push(`${title(data)}\n${indent(explain(error.cause ?? error))}`)
      failed.add(path(data))
    }
  })
  stream.on('test:summary', ({ file, counts, success, duration_ms }) => {
    if (file) {
      report(success, `${path({ file })}${on} (${counts.tests})`, duration_ms)
    } else {
      total.passed += counts.passed
      total.failed += counts.tests - counts.passed - counts.skipped - counts.todo // the cancelled too
    }
  })
  stream.resume()
  await once(stream, 'end')

  for (const failure of failures) console.log(`\n✗ ${failure}`)
  for (const [file, text] of printed) {
    if (failed.has(file)) console.log(`\n${file}${on} printed:\n${indent(text)}`)
  }
}

type Outcome = {
  file?: string
  line?: number
  name: string
  nesting: number
  skip?: string | boolean
  todo?: string | boolean
}

/** Some events name the file from the root of the disk, others from here. */
function path({ file = '' }: { file?: string | undefined }) {
  return relative(root, resolve(file))
}

/** An assertion's own words are its difference; anything else is shown with its properties and causes. */
function explain(error: unknown) {
  if (typeof error === 'string') return error
  const isAssertion = error instanceof Error && 'code' in error && error.code === 'ERR_ASSERTION'
  return (isAssertion ? (error.stack ?? '') : inspect(error)).replace(/\n +at .*node:.*/g, '')
}

function report(passed: boolean, name: string, ms: number) {
  console.log(`${passed ? '✓' : '✗'} ${name}  ${(ms / 1000).toFixed(2)} s`)
}

function indent(text: string) {
  return text.trimEnd().replace(/^/gm, '  ')
}
