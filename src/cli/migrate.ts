import { json, type Verb } from './verb.ts'

export const migrate: Verb = {
  usage: '',
  about: 'Bring the database up to date, after a copy of it. serve and every other verb do the same when they start.',
  options: json,
  words: [0, 0],
  async run({ open, say, answer }) {
    const { migrated } = await open()
    answer({ migrated: migrated.names })
    for (const sentence of migrated.sentences) say(sentence)
    if (migrated.names.length === 0) say('The database is up to date')
  },
}
