import { parseArgs } from 'node:util'
import type { App } from '#app'
import { type Config, InvalidSetting, readConfig } from '#config'
import { type FieldError, present } from '#fields'
import { fullMessage } from '#formats/problem'
import { codeOf, messageOf, Problem } from '#problem'
import { makeDataFolder } from './data-folder.ts'
import { ProcessEnded } from './processes.ts'
import { table, UsageError, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

/** `bin/muster VERB …`: finds the verb, reads its flags, runs it, and turns what went wrong into a sentence. */
const [name, rest] = named(process.argv.slice(2))
try {
  if (name === null) help(rest)
  else await run(name, present(verbs[name]), rest)
} catch (error) {
  if (error instanceof ProcessEnded) process.exit(error.code)
  process.stderr.write(`muster: ${explained(error)}\n`)
  process.exitCode = error instanceof UsageError || error instanceof InvalidSetting ? 2 : 1
}

/** The longest verb that the words begin with: `account create` before `account`. */
function named(words: string[]): [string | null, string[]] {
  for (const length of [2, 1]) {
    const candidate = words.slice(0, length).join(' ')
    if (Object.hasOwn(verbs, candidate)) return [candidate, words.slice(length)]
  }
  return [null, words]
}

async function run(name: string, verb: Verb, rest: string[]) {
  const { values: flags, positionals: words } = parsed(name, verb, rest)
  if (flags.help) return say(helpOf(name, verb))
  const [least, most] = verb.words
  if (words.length < least || words.length > most) throw new UsageError(`usage: ${usageOf(name, verb)}`)
  const lines: string[] = []
  let app: App | null = null
  let answer: unknown
  try {
    await verb.run({
      get config() {
        return readConfig()
      },
      words,
      flags,
      say: (line) => void lines.push(line),
      answer: (value) => {
        answer = value
      },
      open: async () => {
        app ??= await opened(readConfig())
        return app
      },
    })
  } finally {
    await (app as App | null)?.close()
  }
  if (flags.json) say(JSON.stringify(answer ?? null))
  else if (lines.length > 0) say(lines.join('\n'))
}

function parsed(name: string, verb: Verb, args: string[]) {
  const options = Object.fromEntries(
    Object.entries(verb.options).map(([flag, { value }]) => [
      flag,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return { values: values as { [flag: string]: string | boolean | undefined }, positionals }
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\nusage: ${usageOf(name, verb)}`)
  }
}

/** Commands log nothing: their standard output is their answer. */
async function opened(config: Config): Promise<App> {
  makeDataFolder(config)
  // Verbs load what they need when they run, so that help comes at once.
  const { createApp } = await import('#app/create')
  return createApp({ ...config, MUSTER_LOG_LEVEL: 'silent' })
}

/** What there is, or what begins with a word: `account`. Asked for, it is an answer; else it says what is wrong. */
function help(words: string[]) {
  const asks = ['help', '--help', '-h']
  const about = words.filter((word) => !asks.includes(word)).join(' ')
  if (about !== '' && Object.hasOwn(verbs, about)) return say(helpOf(about, present(verbs[about])))
  const family = Object.entries(verbs).filter(([verb]) => about === '' || verb.startsWith(`${about} `))
  const shown = family.length > 0 ? family : Object.entries(verbs)
  const lines = table(shown.map(([verb, { about }]) => [`  ${verb}`, about.split('. ')[0]?.replace(/\.$/, '') ?? '']))
  const text = `Usage: muster VERB …   (muster VERB --help says more)\n\n${lines.join('\n')}`
  if (family.length === 0) throw new UsageError(`there is no verb ${JSON.stringify(about)}\n${text}`)
  if (words.length > 0 && !words.some((word) => asks.includes(word)))
    throw new UsageError(`say which: ${family.map(([verb]) => verb).join(', ')}\n${text}`)
  say(text)
}

function usageOf(name: string, { usage, options }: Verb): string {
  const flags = Object.entries(options).map(([flag, { value }]) => `[${flagged(flag, value)}]`)
  return ['muster', name, usage, ...flags].filter(Boolean).join(' ')
}

function helpOf(name: string, verb: Verb): string {
  const flags = table(
    Object.entries(verb.options).map(([flag, { value, about }]) => [`  ${flagged(flag, value)}`, about]),
  )
  return [usageOf(name, verb), '', verb.about, ...(flags.length > 0 ? ['', ...flags] : [])].join('\n')
}

function flagged(flag: string, value?: string): string {
  return `--${flag}${value ? ` ${value}` : ''}`
}

function explained(error: unknown): string {
  if (error instanceof Problem) return error.errors.map(advice).join('; ') || error.message + why(error)
  if (error instanceof UsageError || error instanceof InvalidSetting) return error.message
  const [code, message] = [codeOf(error), messageOf(error)]
  // A database that isn't there, or doesn't let this user in.
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|28P01|28000|3D000)$/.test(code)) {
    const why = message || (error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : '')
    return `PostgreSQL can't be used: ${why}; see MUSTER_DATABASE_URL`
  }
  if (code === 'EADDRINUSE') return `the address is in use: ${message}; set MUSTER_PORT to another port`
  if (code === 'ERR_SQLITE_ERROR') return `the database says: ${message}; muster doctor tells more`
  return code.startsWith('E') || !(error instanceof Error) ? message : (error.stack ?? message)
}

/** Callers are told that something is away; whoever runs it wants to know what that said. */
function why({ kind, cause }: Problem): string {
  return kind === 'unavailable' && cause instanceof Error && cause.message ? ` (${cause.message})` : ''
}

function advice(error: FieldError): string {
  return fullMessage(error) + (error.remedy ? `. ${error.remedy}` : '')
}

function say(text: string) {
  // Whoever reads may have seen enough, as `head` does.
  process.stdout.once('error', (error) => {
    if (codeOf(error) !== 'EPIPE') throw error
  })
  process.stdout.write(`${text}\n`)
}
