import { after, before, describe } from 'node:test'
import type { RecordType } from '#fields'
import type { Address } from './builders.ts'
import { addresses } from './builders.ts'
import { databases } from './databases.ts'
import { startApp, type TestAccount, type TestApp } from './test-app.ts'

export type FormatName = 'xml' | 'json'
export const formats: FormatName[] = ['xml', 'json']

/** What a loop's body is given; the app and the account are there once the tests run. */
export interface Turn {
  readonly app: TestApp
  /** Each address begins with an account that has only its admin. */
  readonly account: TestAccount
}

/** `for database · for record`: each database has one app, each record and alias an account of its own. */
export function eachAddress(
  which: (record: RecordType) => boolean,
  body: (address: Address, turn: Turn) => void,
  settings?: { [name: string]: string },
): void {
  for (const database of databases)
    describe(database.name, () => {
      let app: TestApp
      before(async () => {
        app = await startApp({ database, ...(settings && { settings }) })
      })
      after(() => app.close())

      for (const address of addresses.filter(({ record }) => which(record)))
        describe(address.plural, () => {
          let account: TestAccount
          before(async () => {
            account = await app.newAccount()
          })
          body(address, {
            get app() {
              return app
            },
            get account() {
              return account
            },
          })
        })
    })
}
