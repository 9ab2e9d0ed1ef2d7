import { type Fields, features, readFields } from '#fields'
import { invalid } from '#problem'
import { account as accounts } from '#records/account'
import { accountOf, allAccounts, createAccount, shown, write } from './accounts.ts'
import { deleteAccount } from './delete-account.ts'
import { json, table, UsageError, type Verb } from './verb.ts'

const known: Fields = accounts.fields

/** What an operator may set, by its name in the record: `settings.asks_acceptance`. Features are turned on and off. */
const settable = Object.entries(known).flatMap(([name, { server, auto, internal, fields }]) =>
  server || auto || internal || name === 'features'
    ? []
    : fields
      ? Object.keys(fields).map((part) => `${name}.${part}`)
      : name,
)

/** The companies that use this server. */
export const account: { [name: string]: Verb } = {
  'account create': {
    usage: 'NAME',
    about: 'Make an account with an admin and an API key. Their secrets are shown this once.',
    options: { 'time-zone': { value: 'ZONE', about: 'IANA name such as Pacific/Auckland; UTC unless said' }, ...json },
    words: [1, 1],
    async run({ open, words: [name = ''], flags, say, answer }) {
      const time_zone = String(flags['time-zone'] ?? 'UTC')
      const errors: Parameters<typeof invalid>[0] = []
      readFields(accounts.fields, { name, time_zone }, { path: '', errors })
      if (errors.length > 0) throw invalid(errors)
      const made = await createAccount(await open(), name, time_zone, 'muster account create')
      answer(made)
      say(`Made account ${made.account_id}. This is shown once; keep it.\n`)
      for (const line of secretsOf(made)) say(line)
    },
  },

  'account list': {
    usage: '',
    about: 'List the accounts.',
    options: json,
    words: [0, 0],
    async run({ open, say, answer }) {
      const all = (await allAccounts(await open())).map((row) => shown(accounts, row))
      answer(all)
      if (all.length === 0) return say('There is no account yet: muster account create NAME makes one')
      const rows = all.map(({ id, name, time_zone, created_at }) => [String(id), name, time_zone, created_at])
      for (const line of table([['ID', 'NAME', 'TIME ZONE', 'CREATED'], ...rows])) say(line)
    },
  },

  'account show': {
    usage: 'ID',
    about: 'Show an account.',
    options: json,
    words: [1, 1],
    async run({ open, words: [id = ''], say, answer }) {
      const row = shown(accounts, await accountOf(await open(), id))
      answer(row)
      for (const line of table(Object.entries(row).map(([name, value]) => [name, readable(value)]))) say(line)
    },
  },

  'account set': {
    usage: 'ID NAME VALUE',
    about: `Change an account; VALUE '' clears, and a list takes several. There are ${settable.join(', ')}.`,
    options: json,
    words: [3, 100],
    async run({ open, words: [id = '', name = '', ...values], say, answer }) {
      if (!settable.includes(name))
        throw new UsageError(`there is no ${JSON.stringify(name)} to set; there are ${settable.join(', ')}`)
      const [field = '', part] = name.split('.')
      const described = known[field]
      const isList = (part ? described?.fields?.[part] : described)?.shape === 'list'
      if (values.length > 1 && !isList) throw new UsageError(`${name} takes one value`)
      const raw = values.length > 1 ? values : (values[0] ?? '')
      const errors: Parameters<typeof invalid>[0] = []
      const draft = readFields(accounts.fields, { [field]: part ? { [part]: raw } : raw }, { path: '', errors })
      if (errors.length > 0) throw invalid(errors)
      const app = await open()
      const before = await accountOf(app, id)
      const row = shown(accounts, await write(app, before, 'muster account set', accounts, draft, before))
      answer(row)
      say(`${name} is ${readable(part ? row[field][part] : row[field])} for account ${row.id} (${row.name})`)
    },
  },

  'account feature': {
    usage: 'ID NAME on|off',
    about: `Turn a feature of an account on or off. The routes of one that is off answer 404. There are ${features.join(', ')}.`,
    options: json,
    words: [3, 3],
    async run({ open, words: [id = '', feature = '', state = ''], say, answer }) {
      if (!features.some((one) => one === feature))
        throw new UsageError(`there is no feature ${JSON.stringify(feature)}; there are ${features.join(', ')}`)
      if (state !== 'on' && state !== 'off') throw new UsageError(`say on or off, and not ${JSON.stringify(state)}`)
      const app = await open()
      const before = await accountOf(app, id)
      const draft = { features: { [feature]: state === 'on' } }
      const row = await write(app, before, 'muster account feature', accounts, draft, before)
      answer(shown(accounts, row))
      say(`${feature} is ${state} for account ${row.id} (${row.name})`)
    },
  },

  'account delete': deleteAccount,
}

/** `groups on, assets off` for what has parts. */
function readable(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value !== 'object' || Array.isArray(value)) return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name} ${readable(part)}`)
    .join(', ')
}

/** What is shown once, a line each. */
export const secretsOf = (made: object): string[] =>
  table(Object.entries(made).map(([name, value]) => [`  ${name}`, String(value)]))
