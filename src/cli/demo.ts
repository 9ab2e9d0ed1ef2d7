import { secretsOf } from './account.ts'
import { json, table, type Verb } from './verb.ts'

export const demo: Verb = {
  usage: '',
  about:
    'Make an account that looks like one at work. It has people, tags, equipment, customers, a week of jobs with photos and signatures, and messages. Each run makes another one, by the requests of the people in it; what only the server can date is dated now.',
  options: json,
  words: [0, 0],
  async run({ open, say, answer }) {
    const { makeDemo } = await import('./demo/make.ts')
    const made = await makeDemo(await open())
    answer(made)
    const { people, ...rest } = made
    say('Made a demo. The key and the passwords are shown this once.\n')
    for (const line of secretsOf(rest)) say(line)
    say('')
    const rows = people.map(({ name, email, password }) => [`  ${name}`, email, password])
    for (const line of table([['  NAME', 'EMAIL', 'PASSWORD'], ...rows])) say(line)
  },
}
