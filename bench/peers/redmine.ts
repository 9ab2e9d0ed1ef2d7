/**
 * Redmine from Debian: Rails with its XML API, on SQLite, served by Puma. It is installed into an overlay of this machine's
 * own file system, which only its processes see, so nothing of the machine is changed.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { cores } from '../support/cores.ts'
import { freePort } from '../support/ports.ts'
import { root, start } from '../support/processes.ts'
import { requestOf } from '../support/requests.ts'
import type { Peer } from './peer.ts'

const folder = join(root, 'bench/.peers/redmine')
const database = join(folder, 'upper/var/lib/dbconfig-common/sqlite3/redmine/instances/default/redmine_default')
const fresh = join(folder, 'fresh.db')
const KEY = 'bench0123456789bench0123456789bench01234'

/** Runs the words after it in the overlay. */
const overlay = [
  'unshare',
  '--mount',
  'sh',
  '-ec',
  `cd "$0"
   mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
   mount --rbind /proc root/proc
   mount --rbind /dev root/dev
   exec chroot "$@"`,
  folder,
]

const packages = `
  export DEBIAN_FRONTEND=noninteractive
  echo 'redmine redmine/instances/default/dbconfig-install boolean true' | debconf-set-selections
  echo 'redmine redmine/instances/default/database-type select sqlite3' | debconf-set-selections
  apt-get update
  apt-get install --yes --no-install-recommends redmine redmine-sqlite puma`

export const redmine: Peer = {
  name: 'Redmine',
  goal: 100,
  hindrance() {
    if (process.getuid?.() !== 0) return 'installing Debian packages needs root'
    if (!existsSync('/etc/debian_version')) return 'this is no Debian'
    for (const name of ['upper', 'work', 'root']) mkdirSync(join(folder, name), { recursive: true })
    return run(['root', 'true']).status === 0 ? null : 'no overlay can be mounted here'
  },

  install() {
    if (existsSync(fresh)) return
    const { status, stdout, stderr } = run(['root', 'sh', '-ec', packages])
    if (status !== 0) throw new Error(`installing Redmine failed:\n${stdout}${stderr}`)
    const db = new DatabaseSync(database)
    db.exec("insert into settings (name, value, updated_on) values ('rest_api_enabled', '1', datetime('now'))")
    db.prepare(
      "insert into tokens (user_id, action, value, created_on, updated_on) values (1, 'api', ?, datetime('now'), datetime('now'))",
    ).run(KEY)
    db.exec('update users set must_change_passwd = 0')
    db.close()
    copyFileSync(database, fresh)
  },

  async start() {
    copyFileSync(fresh, database)
    const port = await freePort()
    const began = performance.now()
    const server = start({
      command: [
        ...overlay,
        '--userspec=www-data',
        'root',
        'env',
        '-C',
        '/usr/share/redmine',
        'HOME=/tmp',
        'RAILS_ENV=production',
        'X_DEBIAN_SITEID=default',
        'puma',
        '--environment=production',
        '--threads=5:5',
        `--bind=tcp://127.0.0.1:${port}`,
        'config.ru',
      ],
      core: cores?.server,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const headers = { 'X-Redmine-API-Key': KEY, 'Content-Type': 'application/xml' }
    let last = 0
    const body = () => `<group><name>Group ${++last}</name></group>`
    const made = async () =>
      fetch(`http://127.0.0.1:${port}/groups.xml`, { method: 'POST', headers, body: body() }).catch(() => null)
    let answer = await made()
    for (; answer === null && server.child.exitCode === null; answer = await made()) await sleep(20)
    if (answer?.status !== 201) throw new Error(`Redmine answered ${answer?.status}`)
    const id = /<id>(\d+)</.exec(await answer.text())?.[1]
    return {
      ...server,
      port,
      startedMs: performance.now() - began,
      // A thread waits with its connection for the next request, so more connections than threads are slower; and on SQLite
      // two writers fail each other: "database is locked", 500.
      connections: { read: 4, create: 1 },
      read: requestOf('GET', `/groups/${id}.xml`, headers),
      create: () => requestOf('POST', '/groups.xml', headers, body()),
    }
  },
}

const run = (words: string[]) => {
  const [command = '', ...rest] = [...overlay, ...words]
  return spawnSync(command, rest, { encoding: 'utf8', maxBuffer: 1 << 28 })
}
