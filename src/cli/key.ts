import type { App } from '#app'
import type { RawRow } from '#fields'
import { plainInstant } from '#fields/instant'
import { Problem } from '#problem'
import type { Account } from '#records/account'
import { apiKey } from '#records/api-key'
import { accountOf, createKey, numberOf, rowsOf, shown, write } from './accounts.ts'
import { json, table, UsageError, type Verb } from './verb.ts'

/** What programs sign in with. */
export const key: { [name: string]: Verb } = {
  'key create': {
    usage: 'ACCOUNT_ID',
    about: 'Make an API key. It is shown this once, and only a digest of it is kept.',
    options: {
      name: { value: 'NAME', about: 'What it is for; its day unless said' },
      'read-only': { about: 'It may read and not write' },
      'gzip-optional': { about: 'It is answered also where it does not accept gzip: for a client that can not' },
      groups: { value: 'IDS', about: 'It sees only what is in these groups or in none: 1,2' },
      expires: { value: 'INSTANT', about: 'It is not accepted from then on: 2027-01-31T00:00:00Z' },
      ...json,
    },
    words: [1, 1],
    async run({ open, words: [id = ''], flags, say, answer }) {
      const now = new Date().toISOString()
      const draft = {
        name: named(flags.name, now),
        read_only: flags['read-only'] === true,
        gzip_optional: flags['gzip-optional'] === true,
        ...(flags.groups !== undefined && { group_ids: groupsOf(String(flags.groups)) }),
        ...(flags.expires !== undefined && { expires_at: expiryOf(String(flags.expires), now) }),
      }
      const app = await open()
      const account = await accountOf(app, id)
      const made = await createKey(app, account, draft, 'muster key create')
      answer({ account_id: account.id, ...made })
      say(`Made key ${made.id} of account ${account.id} (${account.name}). It is shown once; keep it.\n`)
      say(`  ${made.api_key}`)
    },
  },

  'key list': {
    usage: 'ACCOUNT_ID',
    about: 'List the API keys of an account, the revoked and expired ones too.',
    options: json,
    words: [1, 1],
    async run({ open, words: [id = ''], say, answer }) {
      const app = await open()
      const account = await accountOf(app, id)
      const all = (await rowsOf(app, account, apiKey)).map((row) => shown(apiKey, row))
      answer(all)
      if (all.length === 0) return say(`Account ${account.id} has no key: muster key create ${account.id} makes one`)
      const head = ['ID', 'NAME', 'PREFIX', 'MAY', 'GROUPS', 'EXPIRES', 'REVOKED', 'LAST USED', 'CREATED']
      const rows = all.map((row) => [
        String(row.id),
        row.name,
        row.prefix,
        row.read_only ? 'read' : 'read, write',
        row.group_ids.join(',') || 'all',
        row.expires_at ?? 'never',
        row.revoked_at ?? 'no',
        row.last_used_at ?? 'never',
        row.created_at,
      ])
      for (const line of table([head, ...rows])) say(line)
    },
  },

  'key revoke': {
    usage: 'ACCOUNT_ID KEY_ID',
    about: 'Revoke an API key. It is not accepted from now on, also by a server that runs.',
    options: json,
    words: [2, 2],
    async run({ open, words: [id = '', keyId = ''], say, answer }) {
      const app = await open()
      const account = await accountOf(app, id)
      const before = await keyOf(app, account, keyId)
      const draft = { revoked_at: before.revoked_at ?? new Date().toISOString() }
      const row = await write(app, account, 'muster key revoke', apiKey, draft, before)
      answer(shown(apiKey, row))
      say(`Key ${row.id} (${row.name}) is revoked${before.revoked_at ? ` since ${before.revoked_at}` : ''}`)
    },
  },
}

async function keyOf(app: App, account: Account, word: string): Promise<RawRow> {
  const id = numberOf(word, 'the key')
  const found = await app.store.asSystem(account.id, 'a command of the operator').find(apiKey, id)
  if (!found)
    throw new Problem(
      'not_found',
      `account ${account.id} has no key ${id}; muster key list ${account.id} shows its keys`,
    )
  return found
}

function named(flag: string | boolean | undefined, now: string): string {
  const name = flag === undefined ? `Key of ${now.slice(0, 10)}` : String(flag).trim()
  if (name === '' || name.length > 255) throw new UsageError('--name takes 1 to 255 characters')
  return name
}

function groupsOf(flag: string): number[] {
  try {
    const ids = apiKey.fields.group_ids.parse(flag, { path: '', errors: [] })
    if (ids.length > 0) return ids
  } catch {}
  throw new UsageError(`--groups takes ids of groups with commas, such as 1,2, and not ${JSON.stringify(flag)}`)
}

function expiryOf(flag: string, now: string): string {
  const instant = plainInstant(flag)
  if (!instant)
    throw new UsageError(`--expires takes an instant such as 2027-01-31T00:00:00Z, and not ${JSON.stringify(flag)}`)
  if (instant <= now) throw new UsageError(`--expires lies in the past: ${flag}`)
  return instant
}
