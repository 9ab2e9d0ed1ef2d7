import type { App } from '#app'
import type { Config } from '#config'

/** What a verb of the command is given. */
export interface Run {
  /** The settings. @throws InvalidSetting when they are first looked at */
  readonly config: Config
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
  /** The words after it: `NAME`, `ID NAME on|off`. */
  usage: string
  about: string
  options: { [name: string]: Option }
  /** How many words it takes: least and most. */
  words: [least: number, most: number]
  run(run: Run): Promise<void>
}

export interface Option {
  /** What stands for its value in the help; a flag without one is there or not. */
  value?: string
  about: string
}

/** The flag of every verb whose answer a program may read. */
export const json = { json: { about: 'Print the answer as one line of JSON' } } satisfies Verb['options']

/** What a person did wrong on the command line: told in a sentence, exit code 2. */
export class UsageError extends Error {}

/** Lines with their columns under each other. */
export function table(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
