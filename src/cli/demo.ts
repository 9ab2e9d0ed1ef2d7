import { secretsOf } from './account.ts'
import type { Demo } from './demo/make.ts'
import { json, table, UsageError, type Verb } from './verb.ts'

/** More would make a board of more jobs than one may ask for. */
const MAX_WORKERS = 500

export const demo: Verb = {
  usage: '',
  about:
    'Make an account that looks like one at work. It has people, tags, equipment, customers, a week of jobs with photos and signatures, and messages. Each run makes another one, by the requests of the people in it; what only the server can date is dated now.',
  options: {
    ...json,
    workers: {
      value: 'NUMBER',
      about: `So many workers in all, up to ${MAX_WORKERS}; those beyond the twelve that are named have a full day each`,
    },
    live: { about: 'Go on with the day: the workers move, answer, complete, pause and send photos, until Ctrl-C' },
  },
  words: [0, 0],
  async run({ flags, open, say, answer }) {
    const { makeDemo } = await import('./demo/make.ts')
    const { playDay } = await import('./demo/live.ts')
    const workers = workersOf(flags.workers)
    const tell = (made: Demo) => {
      answer(made)
      const { people, ...rest } = made
      say('Made a demo. The key and the passwords are shown this once.\n')
      for (const line of secretsOf(rest)) say(line)
      say('')
      const rows = people.map(({ name, email, password }) => [`  ${name}`, email, password])
      for (const line of table([['  NAME', 'EMAIL', 'PASSWORD'], ...rows])) say(line)
    }
    const ending = new AbortController()
    await makeDemo(await open(), {
      ...(workers && { workers }),
      async made(made, crew) {
        tell(made)
        if (!flags.live) return
        say('\nThe day goes on until Ctrl-C.')
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
        await playDay({ workers: crew, say: (line) => say(`  ${line}`), signal: ending.signal })
      },
    })
  },
}

function workersOf(flag: string | boolean | undefined): number | undefined {
  if (flag === undefined) return undefined
  const count = Number(flag)
  if (!Number.isInteger(count) || count < 1 || count > MAX_WORKERS)
    throw new UsageError(`--workers takes a number from 1 to ${MAX_WORKERS}`)
  return count
}
