import { resolve } from 'node:path'
import { messageOf } from '#problem'

/** Every setting: what it is, what it is when nobody says, and how its text is read. `docs/operating.md` lists them from here. */
const settings = {
  MUSTER_HOST: {
    about: 'Address to listen on. `0.0.0.0` for every interface; use TLS then, see `MUSTER_TLS_CERT`.',
    default: '127.0.0.1',
    read: (text: string) => text,
  },
  MUSTER_PORT: {
    about: 'Port to listen on; 0 picks a free one and prints it.',
    default: '8080',
    read: number(0, 65_535),
  },
  MUSTER_TLS_CERT: {
    about:
      'Certificate to serve HTTPS with, a PEM file with its chain; watched, and reloaded when it changes. Empty means `tls/server.pem` in the data folder where `muster tls` or `MUSTER_ACME_DOMAIN` made one, else plain HTTP.',
    default: '',
    read: file,
  },
  MUSTER_TLS_KEY: {
    about: 'Private key of that certificate, a PEM file.',
    default: '',
    read: file,
  },
  MUSTER_ACME_DOMAIN: {
    about:
      'A domain that leads here: a certificate for it is requested from `MUSTER_ACME_DIRECTORY`, and renewed 30 days before it ends. The authority must reach `MUSTER_PLAIN_PORT` as port 80 of the domain.',
    default: '',
    read: (text: string) => {
      if (text !== '' && !/^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/.test(text))
        throw new Error('must be empty or a domain such as work.example.com')
      return text || null
    },
  },
  MUSTER_ACME_DIRECTORY: {
    about: 'The ACME authority; its terms are agreed to by setting `MUSTER_ACME_DOMAIN`.',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    read: (text: string) => {
      if (!/^https:\/\/[^\s/]+/.test(text)) throw new Error('must be an https address')
      return text
    },
  },
  MUSTER_ACME_EMAIL: {
    about: 'Where that authority writes to when a certificate is about to end.',
    default: '',
    read: (text: string) => text || null,
  },
  MUSTER_PLAIN_PORT: {
    about:
      'Port for plain HTTP beside HTTPS: leads browsers to HTTPS, answers the ACME authority, and gives phones the authority that `muster tls` made, at `/trust`. Empty means none.',
    default: '',
    read: (text: string) => (text === '' ? null : number(0, 65_535)(text)),
  },
  MUSTER_DATA_DIR: {
    about: 'The folder that holds everything: database, files, copies.',
    default: './data',
    read: (text: string) => resolve(text),
  },
  MUSTER_DATABASE_URL: {
    about:
      'Where records are kept: `sqlite:FILE` or `postgres://USER:PASSWORD@HOST/NAME`; empty means `muster.db` in the data folder.',
    default: '',
    read: (text: string) => {
      if (text !== '' && !/^(sqlite:.|postgres(ql)?:\/\/.)/.test(text))
        throw new Error('must be empty, sqlite:FILE or postgres://…')
      return text.startsWith('sqlite:') ? `sqlite:${resolve(text.slice('sqlite:'.length))}` : text || null
    },
  },
  MUSTER_DATABASE_POOL: {
    about: 'Connections to PostgreSQL that one process keeps, at most.',
    default: '20',
    read: number(3, 1000),
  },
  MUSTER_REPLICA_URL: {
    about:
      'A standby of that PostgreSQL, `postgres://…`: what is shown is read there when it has all that was written before.',
    default: '',
    read: (text: string) => {
      if (text !== '' && !/^postgres(ql)?:\/\/./.test(text)) throw new Error('must be empty or postgres://…')
      return text || null
    },
  },
  MUSTER_FILES_URL: {
    about:
      'Where photos and signatures are kept: `s3://HOST/BUCKET/PREFIX?region=REGION`, or `s3+http://` without TLS; empty means `files` in the data folder.',
    default: '',
    read: (text: string) => {
      if (text !== '' && !/^s3(\+http)?:\/\/[\w.:[\]-]+(\/[\w.-]+)+\/?(\?region=[\w-]+)?$/.test(text))
        throw new Error('must be empty or s3://HOST/BUCKET/PREFIX?region=REGION, without a key in it')
      return text || null
    },
  },
  MUSTER_FILES_KEY: {
    about: 'Id of the key for the bucket of `MUSTER_FILES_URL`.',
    default: '',
    read: (text: string) => text,
  },
  MUSTER_FILES_SECRET: {
    about: 'Secret of that key.',
    default: '',
    secret: true,
    read: (text: string) => text,
  },
  MUSTER_BASE_URL: {
    about:
      'What addresses in answers begin with, such as `https://work.example.com`; empty takes scheme and host of each request.',
    default: '',
    read: (text: string) => {
      if (text !== '' && !/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(text))
        throw new Error('must be an http or https address')
      return withoutSlashes(text)
    },
  },
  MUSTER_STRICT_GZIP: {
    about: 'Answer 406 to requests that do not accept gzip, as the contract has it.',
    default: 'true',
    read: flag,
  },
  MUSTER_TRUST_PROXY: {
    about: 'Believe `X-Forwarded-Proto`, `-Host` and `-For`; only behind a proxy that sets them.',
    default: 'false',
    read: flag,
  },
  MUSTER_MAX_BODY_BYTES: {
    about: 'Largest request body, in bytes; more is 413.',
    default: '10485760',
    read: number(1024, 1 << 30),
  },
  MUSTER_REQUESTS_PER_MINUTE: {
    about: 'How many requests a key or a person may make in a minute; more are answered with 429. 0 sets no limit.',
    default: '0',
    read: number(0, 1_000_000),
  },
  MUSTER_REQUESTS_PER_MINUTE_OF_ACCOUNT: {
    about:
      'How many requests all keys and people of an account together may make in a minute; more are 429. 0 sets no limit.',
    default: '0',
    read: number(0, 10_000_000),
  },
  MUSTER_STREAMS_PER_ACCOUNT: {
    about: 'How many streams of events an account has open at a time, of each process; more are 429. 0 sets no limit.',
    default: '0',
    read: number(0, 1_000_000),
  },
  MUSTER_RECORDS_PER_ACCOUNT: {
    about:
      'How many records an account may have, of all types that callers make; what would be one more is 507. 0 sets no limit.',
    default: '0',
    read: number(0, 1_000_000_000),
  },
  MUSTER_FILE_BYTES_PER_ACCOUNT: {
    about: 'How many bytes the photos and signatures of an account may have; more is 507. 0 sets no limit.',
    default: '0',
    read: number(0, Number.MAX_SAFE_INTEGER),
  },
  MUSTER_CORS_ORIGINS: {
    about:
      'Other sites whose pages may call with an API key, such as `https://plan.example.com`, with commas between; `*` is every site.',
    default: '',
    read: (text: string) => {
      const origins = text === '' ? [] : text.split(',').map((one) => one.trim())
      if (!origins.every((one) => one === '*' || (URL.canParse(one) && new URL(one).origin === one)))
        throw new Error('must be empty, * or origins such as https://plan.example.com with commas between')
      return origins
    },
  },
  MUSTER_DRAIN_SECONDS: {
    about:
      'How long after SIGTERM requests are still taken, while `/readyz` says 503: what a balancer needs to notice.',
    default: '0',
    read: number(0, 300),
  },
  MUSTER_TELEMETRY_DAYS: {
    about: 'How long it is kept where the devices of workers were, in days.',
    default: '30',
    read: number(1, 3650),
  },
  MUSTER_WEBHOOK_PRIVATE: {
    about:
      'Let webhooks lead to private, loopback and link-local addresses. Whoever may make a webhook then reaches what this server reaches.',
    default: 'false',
    read: flag,
  },
  MUSTER_SMTP_URL: {
    about:
      'How mails are sent, such as `smtps://USER:PASSWORD@HOST` or `smtp://HOST:25`; empty sends none, and links are shown to admins to pass on. Needs `MUSTER_BASE_URL` and `MUSTER_MAIL_FROM`.',
    default: '',
    secret: true,
    read: (text: string) => {
      if (text !== '' && !(/^smtps?:\/\/./.test(text) && URL.canParse(text)))
        throw new Error('must be empty, smtp://HOST:PORT or smtps://USER:PASSWORD@HOST')
      return text || null
    },
  },
  MUSTER_MAIL_FROM: {
    about: 'The address that mails come from: `muster@example.com`.',
    default: '',
    read: (text: string) => {
      if (text !== '' && !/^[^@\s]+@[^@\s]+$/.test(text)) throw new Error('must be empty or an address of mail')
      return text
    },
  },
  MUSTER_OSRM_URL: {
    about:
      'An OSRM-compatible routing server that is asked how long ways take, such as `http://osrm:5000`; empty estimates them by the great circle.',
    default: '',
    read: optionalAddress,
  },
  MUSTER_PLACES_URL: {
    about:
      'A Nominatim- or Photon-compatible server that addresses are looked for with, such as `https://nominatim.example.com/search` or `http://photon:2322/api`; empty looks in what the account has itself.',
    default: '',
    read: optionalAddress,
  },
  MUSTER_METRICS_TOKEN: {
    about: 'What `/metrics` wants as `Authorization: Bearer …`; empty lets only this machine read it, and no proxy.',
    default: '',
    secret: true,
    read: (text: string) => {
      if (text !== '' && !/^[\w.~+/=-]{16,}$/.test(text))
        throw new Error('must be empty or at least 16 letters, digits and . ~ + / = - _')
      return text || null
    },
  },
  MUSTER_SLOW_STATEMENT_MS: {
    about: 'A statement of the database that takes so many milliseconds is told in the log, by its name; 0 tells all.',
    default: '200',
    read: number(0, 600_000),
  },
  MUSTER_BACKUP_AT: {
    about: 'When the server makes a backup each day, such as `02:30`, by the clock of the machine; empty means never.',
    default: '',
    read: (text: string) => {
      if (text !== '' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(text))
        throw new Error('must be empty or a time such as 02:30')
      return text || null
    },
  },
  MUSTER_BACKUP_DIR: {
    about: 'Where backups go that are given no name; empty means `backups` in the data folder. Better another disk.',
    default: '',
    read: (text: string) => (text === '' ? null : resolve(text)),
  },
  MUSTER_BACKUP_KEEP: {
    about: 'How many of those are kept; older ones go once a newer one is proven.',
    default: '7',
    read: number(1, 10_000),
  },
  MUSTER_LOG_LEVEL: {
    about:
      'How much is logged, one JSON object a line on standard output: `debug`, `info`, `warn`, `error` or `silent`.',
    default: 'info',
    read: (text: string) => {
      if (!['debug', 'info', 'warn', 'error', 'silent'].includes(text))
        throw new Error('must be debug, info, warn, error or silent')
      return text
    },
  },
}

export type Setting = keyof typeof settings
export type Config = { [name in Setting]: ReturnType<(typeof settings)[name]['read']> }

/** What a setting is called, what it is when unset, and what it does. */
export const described = Object.entries(settings).map(([name, { about, default: fallback }]) => ({
  name,
  fallback,
  about,
}))

export class InvalidSetting extends Error {}

/**
 * Reads the settings from the environment.
 * @throws InvalidSetting for an unknown `MUSTER_*` or a value that a setting can't have, in a sentence
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  for (const name of Object.keys(environment))
    if (name.startsWith('MUSTER_') && !(name in settings))
      throw new InvalidSetting(`${name} is not a setting of Muster; there are ${Object.keys(settings).join(', ')}`)
  const config = Object.fromEntries(
    Object.entries(settings).map(([name, { default: fallback, read, ...more }]) => {
      try {
        return [name, read(environment[name]?.trim() || fallback)]
      } catch (error) {
        const is = 'secret' in more ? '' : `, and is ${JSON.stringify(shown(environment[name]))}`
        throw new InvalidSetting(`${name} ${messageOf(error)}${is}`)
      }
    }),
  ) as Config
  if (config.MUSTER_FILES_URL && !(config.MUSTER_FILES_KEY && config.MUSTER_FILES_SECRET))
    throw new InvalidSetting('MUSTER_FILES_URL needs MUSTER_FILES_KEY and MUSTER_FILES_SECRET beside it')
  if (config.MUSTER_SMTP_URL && !(config.MUSTER_BASE_URL && config.MUSTER_MAIL_FROM))
    throw new InvalidSetting('MUSTER_SMTP_URL needs MUSTER_BASE_URL and MUSTER_MAIL_FROM beside it')
  if (!config.MUSTER_TLS_CERT !== !config.MUSTER_TLS_KEY)
    throw new InvalidSetting('MUSTER_TLS_CERT and MUSTER_TLS_KEY need each other')
  if (config.MUSTER_ACME_DOMAIN && config.MUSTER_TLS_CERT)
    throw new InvalidSetting('MUSTER_ACME_DOMAIN and MUSTER_TLS_CERT are two ways to one certificate: set one of them')
  if (config.MUSTER_ACME_DOMAIN && config.MUSTER_PLAIN_PORT === null)
    throw new InvalidSetting('MUSTER_ACME_DOMAIN needs MUSTER_PLAIN_PORT, where the authority asks')
  return config
}

const withoutSlashes = (text: string): string => (text.endsWith('/') ? withoutSlashes(text.slice(0, -1)) : text)

/** An address without who signs in there. */
const shown = (text: string | undefined) => text?.replace(/:\/\/[^/]*@/, '://[hidden]@')

/** The settings as they may be shown to others: without what is secret. */
export function withoutSecrets(config: Config): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if ('secret' in settings[name as Setting]) return [name, value ? '[hidden]' : value]
      return [name, typeof value === 'string' ? withoutPassword(value) : value]
    }),
  )
}

/** An address without the password in it. */
export const withoutPassword = (address: string) =>
  address
    .replace(/(:\/\/[^/@:]*):[^/]*@/, '$1:[hidden]@')
    .replace(/([?&](?:password|sslpassword)=)[^&]*/g, '$1[hidden]')

function number(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

function optionalAddress(text: string): string | null {
  if (text !== '' && !(/^https?:\/\/[^\s/?#]+/.test(text) && URL.canParse(text)))
    throw new Error('must be empty or an http or https address')
  return withoutSlashes(text) || null
}

function file(text: string): string | null {
  return text === '' ? null : resolve(text)
}

function flag(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
  return text === 'true'
}
