import { secretsOf } from './account.ts'
import { json, type Verb } from './verb.ts'

export const demo: Verb = {
  usage: '',
  about:
    'Make an account that looks like one at work. It has people, tags, equipment, customers, a week of jobs with photos and signatures, and messages; each run makes another one.',
  options: json,
  words: [0, 0],
  async run({ open, say, answer }) {
    const { makeDemo } = await import('./demo/make.ts')
    const made = await makeDemo(await open())
    answer(made)
    say('Made a demo. Everybody in it signs in with the password of its admin.\n')
    for (const line of secretsOf(made)) say(line)
  },
}
