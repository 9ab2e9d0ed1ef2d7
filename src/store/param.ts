import { sql } from 'kysely'

/** A place in a compiled statement that a value goes to each time it runs. */
export class Param {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export const param = (name: string) => sql`${new Param(name)}`
