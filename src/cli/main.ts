import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type App, createApp } from '#app'
import { BadSetting, type Config, readConfig } from '#config'
import { sentence } from '#formats/problem'
import { Problem } from '#problem'
import { Misuse, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

/** `bin/muster VERB …`: finds the verb, reads its flags, runs it, and turns what went wrong into a sentence. */
const [name, rest] = named(process.argv.slice(2))
try {
  if (name === null) help(rest[0])
  else await run(name, verbs[name] as Verb, rest)
} catch (error) {
  process.stderr.write(`muster: ${explained(error)}\n`)
  process.exitCode = error instanceof Misuse || error instanceof BadSetting ? 2 : 1
}

/** The longest verb that the words begin with: `account create` before `account`. */
function named(words: string[]): [string | null, string[]] {
  for (const length of [2, 1]) {
    const candidate = words.slice(0, length).join(' ')
    if (Object.hasOwn(verbs, candidate)) return [candidate, words.slice(length)]
  }
  return [null, words]
}

async function run(verb: string, { options, usage, about, words: [least, most], run: act }: Verb, rest: string[]) {
  const { values: flags, positionals: words } = parsed(verb, rest, options)
  if (flags.help) return say(`muster ${verb} ${usage}\n\n${about}\n`)
  if (words.length < least || words.length > most) throw new Misuse(`usage: muster ${verb} ${usage}`)
  const config = readConfig()
  let app: App | null = null
  const lines: string[] = []
  let answer: unknown
  try {
    await act({
      config,
      words,
      flags: flags as { [name: string]: string | boolean | undefined },
      say: (line) => void lines.push(line),
      answer: (value) => {
        answer = value
      },
      open: async () => {
        app ??= await opened(config)
        return app
      },
    })
  } finally {
    await (app as App | null)?.close()
  }
  if ((flags as Record<string, unknown>).json) say(JSON.stringify(answer ?? null))
  else if (lines.length > 0) say(lines.join('\n'))
}

function parsed(verb: string, args: string[], options: Verb['options']) {
  try {
    return parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals: true })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\nusage: muster ${verb} ${verbs[verb]?.usage}`)
  }
}

/** Commands log nothing but what went wrong: their standard output is their answer. */
function opened(config: Config): Promise<App> {
  mkdirSync(config.MUSTER_DATA_DIR, { recursive: true })
  return createApp({ ...config, MUSTER_LOG_LEVEL: 'silent' })
}

function help(word: string | undefined) {
  const asked = word === undefined || ['help', '--help', '-h'].includes(word)
  const width = Math.max(...Object.keys(verbs).map((verb) => verb.length))
  const lines = Object.entries(verbs).map(([verb, { about }]) => `  ${verb.padEnd(width)}  ${about.split('. ')[0]}`)
  const text = `Usage: muster VERB …   (muster VERB --help says more)\n\n${lines.join('\n')}`
  if (!asked) throw new Misuse(`there is no verb ${JSON.stringify(word)}\n${text}`)
  say(text)
}

function explained(error: unknown): string {
  if (error instanceof Problem) return error.faults.map(sentence).join('; ') || error.message
  if (error instanceof Misuse || error instanceof BadSetting) return error.message
  const { code, message, stack } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `the address is in use: ${message}; set MUSTER_PORT to another port`
  return code?.startsWith('E') ? message : (stack ?? message)
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
