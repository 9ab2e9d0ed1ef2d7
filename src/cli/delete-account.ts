import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { App } from '#app'
import { systemCall } from '#call'
import { account as accounts } from '#records/account'
import { eraseAccount } from '#store/erase'
import { migrations } from '#store/migrations/index'
import { exportable } from '#transfer/selection'
import { accountOf, noAccount, numberOf } from './accounts.ts'
import { json, UsageError, type Verb } from './verb.ts'

/** An account that leaves: it gets what is its own, and nothing of it stays. (docs/contract.md#accounts) */
export const deleteAccount: Verb = {
  usage: 'ID FILE',
  about:
    'Write an account to FILE, as export does, and then delete it for good: its keys and people are out at once, its rows go after that. One that broke off is gone on with.',
  options: { name: { value: 'NAME', about: 'The name of the account, so that it is this one' }, ...json },
  words: [2, 2],
  async run({ open, words: [word = '', file = ''], flags, say, answer }) {
    const app = await open()
    const { id, name, leaving } = await found(app, numberOf(word, 'the account'))
    if (flags.name !== name) throw new UsageError(`say --name ${JSON.stringify(name)} to delete account ${id} for good`)
    if (!leaving) {
      if (existsSync(file)) throw new UsageError(`${file} is there already`)
      const { writeArchive } = await import('#transfer/export')
      const call = systemCall(app.store, await accountOf(app, word), 'muster account delete')
      const { files } = await writeArchive(app, call, resolve(file), {
        format: 'json',
        records: exportable(app.records),
      })
      say(`Wrote account ${id} (${name}) with ${files} files to ${file}.`)
      await app.mutations.execute(call, {
        record: accounts,
        action: 'delete',
        target: (tx) => tx.find(accounts, id),
        draft: {},
      })
    }
    const rows = await eraseAccount(app.store.database, migrations, id)
    answer({ account_id: id, rows })
    say(
      `Deleted it with ${rows} rows. Files that only it had go with muster doctor --sweep; older backups still have all.`,
    )
  },
}

/** An account by its number, also one that is half deleted. */
async function found(app: App, id: number) {
  for await (const row of app.store.allRows(accounts, ['name', 'deleted_at']))
    if (Number(row.id) === id) return { id, name: String(row.name), leaving: row.deleted_at !== null }
  throw noAccount(app, id)
}
