import { serve } from './serve.ts'
import type { Verb } from './verb.ts'

/** Everything that `bin/muster` can do. */
export const verbs: { [name: string]: Verb } = {
  serve,
}
