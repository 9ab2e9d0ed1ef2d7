import { existsSync, realpathSync } from 'node:fs'
import { readConfig, withoutPassword } from '#config'
import { lockExclusively } from './lock-database.ts'
import { json, table, UsageError, type Verb } from './verb.ts'

export const migrateData: Verb = {
  usage: '',
  about:
    'Move all records from one database into another that is empty, and prove that both hold the same. Stop the server first: what is written meanwhile stays behind, and SQLite is refused while one runs on it. Killed, the same command goes on. Files stay in the data folder, which both use.',
  options: {
    from: { value: 'ADDRESS', about: 'sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME' },
    to: { value: 'ADDRESS', about: 'The same, of an empty one' },
    ...json,
  },
  words: [0, 0],
  async run({ flags, say, answer }) {
    const [from, to] = [whereOf(flags, 'from'), whereOf(flags, 'to')]
    if (same(from.MUSTER_DATABASE_URL, to.MUSTER_DATABASE_URL)) throw new UsageError('--from and --to are the same')
    const [{ databaseFile, openDatabase }, { move }, { migrations }] = await Promise.all([
      import('#store/open'),
      import('#store/move'),
      import('#store/migrations/index'),
    ])
    const files = [from, to].map(databaseFile).filter((file) => file !== null)
    // What nobody has served has no lock, and is left without.
    const releases = files.filter((file) => existsSync(`${file}.serving`)).map(lockExclusively)
    const source = openDatabase(from, { readOnly: true })
    try {
      const target = openDatabase(to)
      try {
        const name = withoutPassword(from.MUSTER_DATABASE_URL)
        const progress = process.stderr.isTTY ? (line: string) => void process.stderr.write(`${line}\n`) : () => {}
        const moved = await move(source, target, { name, migrations, progress })
        const rows = Object.values(moved.tables).reduce((sum, one) => sum + one.rows, 0)
        answer({ ...moved, rows })
        for (const line of table(
          Object.entries(moved.tables).map(([name, { rows, sha256 }]) => [name, `${rows}`, sha256]),
        ))
          say(line)
        say(
          `${rows} rows in ${Object.keys(moved.tables).length} tables are the same on both sides: counted, and compared by these checksums`,
        )
        say('Files stay in the data folder. Set MUSTER_DATABASE_URL to the new database, and start the server')
        if (moved.written_meanwhile)
          say(
            'The old database was written to meanwhile, and that was NOT moved: stop the server, empty the new one, and do it again',
          )
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
      for (const release of releases) release()
    }
  },
}

function whereOf(flags: { [name: string]: unknown }, name: 'from' | 'to') {
  if (typeof flags[name] !== 'string') throw new UsageError(`--${name} is needed`)
  const { MUSTER_DATABASE_URL, MUSTER_DATA_DIR } = readConfig({ ...process.env, MUSTER_DATABASE_URL: flags[name] })
  if (MUSTER_DATABASE_URL === null) throw new UsageError(`--${name} is sqlite:FILE or postgres://…`)
  return { MUSTER_DATABASE_URL, MUSTER_DATA_DIR }
}

/** Whether two addresses are one database, as far as that shows. */
function same(one: string, other: string): boolean {
  return real(one) === real(other)
}

function real(address: string): string {
  try {
    return address.startsWith('sqlite:') ? `sqlite:${realpathSync(address.slice('sqlite:'.length))}` : address
  } catch {
    return address
  }
}
