import type { ParseArgsConfig } from 'node:util'
import type { App } from '#app'
import type { Config } from '#config'

/** What a verb of the command is given. */
export interface Run {
  config: Config
  /** Words after the verb and its flags. */
  words: string[]
  flags: { [name: string]: string | boolean | undefined }
  /** Prints what a person reads; with `--json`, nothing. */
  say(line: string): void
  /** The answer: JSON for a program, else what `say` said. */
  answer(value: unknown): void
  /** Opens the data of this server; works while it runs. Closed by itself at the end. */
  open(): Promise<App>
}

export interface Verb {
  /** After the verb: `NAME [--time-zone ZONE]`. */
  usage: string
  about: string
  options: NonNullable<ParseArgsConfig['options']>
  /** How many words it takes: least and most. */
  words: [least: number, most: number]
  run(run: Run): Promise<void>
}

/** What a person did wrong on the command line: told in a sentence, exit code 2. */
export class Misuse extends Error {}
