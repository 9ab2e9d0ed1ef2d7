import { type Device, device } from '#records/device'
import { accountOf, allAccounts, rowsOf } from './accounts.ts'
import { json, table, type Verb } from './verb.ts'

/** One version of the app in an account. */
interface Version {
  account_id: number
  app_version: string | null
  devices: number
  waiting_entries: number
  heard_at: string | null
}

/** The phones that use this server. */
export const devices: { [name: string]: Verb } = {
  'device versions': {
    usage: '[ACCOUNT_ID]',
    about:
      'Tell which versions of the app are still out there: on how many devices that are signed in, and last heard when.',
    options: json,
    words: [0, 1],
    async run({ open, words: [id], say, answer }) {
      const app = await open()
      const found: Version[] = []
      for (const account of id === undefined ? await allAccounts(app) : [await accountOf(app, id)]) {
        const rows = (await rowsOf(app, account, device)) as Device[]
        const living = rows.filter(({ signed_out_at }) => signed_out_at === null)
        for (const [version, same] of Map.groupBy(living, ({ app_version }) => app_version))
          found.push(versionOf(account.id, version, same))
      }
      answer(found)
      if (found.length === 0) return say('No device has told of itself yet')
      const head = ['ACCOUNT', 'VERSION', 'DEVICES', 'WAITING', 'LAST HEARD']
      const lines = found
        .toSorted((a, b) => a.account_id - b.account_id || b.devices - a.devices)
        .map((one) => [
          String(one.account_id),
          one.app_version ?? 'not told',
          String(one.devices),
          String(one.waiting_entries),
          one.heard_at ?? 'never',
        ])
      for (const line of table([head, ...lines])) say(line)
    },
  },
}

const versionOf = (account_id: number, app_version: string | null, rows: Device[]): Version => ({
  account_id,
  app_version,
  devices: rows.length,
  waiting_entries: rows.reduce((sum, { waiting_entries }) => sum + (waiting_entries ?? 0), 0),
  heard_at:
    rows
      .flatMap(({ heard_at }) => heard_at ?? [])
      .toSorted()
      .at(-1) ?? null,
})
