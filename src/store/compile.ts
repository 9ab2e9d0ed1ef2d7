import type { Statement } from './database.ts'
import type { Statements } from './select.ts'

/** Compiles a statement once for each key. One that `searches` looks through many rows. */
export type Compile = (
  key: string,
  build: (statements: Statements) => { compile(): Statement },
  searches?: boolean,
) => Statement
