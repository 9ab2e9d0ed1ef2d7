import { account } from './account.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { key } from './key.ts'
import { migrate } from './migrate.ts'
import { serve } from './serve.ts'
import type { Verb } from './verb.ts'

/** Everything that `bin/muster` can do. */
export const verbs: { [name: string]: Verb } = { serve, migrate, ...account, ...key, demo, doctor }
