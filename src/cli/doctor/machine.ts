import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { MAX_CONNECTIONS } from '#limits'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The oldest Node that runs this. */
const MIN_NODE = 24
/** Before this nobody can have started this Muster. */
const FIRST_DAY = '2026-01-01'
/** Files that are open beside connections: the database, photos under way, programs. */
const OTHER_FILES = 500

export async function checkMachine(): Promise<Finding[]> {
  const now = new Date().toISOString()
  return [node(process.versions.node), clock(now, await isSynchronised()), timeZones(), ...openFiles(await limits())]
}

function node(version: string): Finding {
  if (Number.parseInt(version, 10) >= MIN_NODE) return ok('node', `${version}, with SQLite ${process.versions.sqlite}`)
  return fail('node', `${version} is too old; start with bin/muster, which brings Node ${MIN_NODE}`)
}

/** A clock that fell back to its beginning, or that nobody sets; one that runs behind what was written shows with the database. */
export function clock(now: string, synchronised: boolean | null): Finding {
  if (now < FIRST_DAY) return fail('clock', `says ${now}: set it, or keys expire and times are written wrong`)
  if (synchronised === false)
    return warn('clock', `${now}, set by hand and not from the network: switch it on, timedatectl set-ntp true`)
  return ok('clock', now)
}

/** Whether something sets the clock from the network; null where nobody can say. */
async function isSynchronised(): Promise<boolean | null> {
  const asked = ['show', '--property=NTPSynchronized', '--value']
  const { stdout } = await promisify(execFile)('timedatectl', asked, { timeout: 2000 }).catch(() => ({ stdout: '' }))
  return { yes: true, no: false }[stdout.trim()] ?? null
}

/** Node can be built without the zones of the world. */
function timeZones(): Finding {
  const summer = new Intl.DateTimeFormat('en', { timeZone: 'Pacific/Auckland', timeZoneName: 'longOffset' })
  if (summer.format(new Date('2026-01-15T00:00:00Z')).endsWith('GMT+13:00'))
    return ok('zones', `time zones as of ${process.versions.tz ?? 'the machine'}`)
  return fail('zones', 'this Node knows no time zones, so accounts would show wrong times: start with bin/muster')
}

const limits = () => readFile('/proc/self/limits', 'utf8').catch(() => '')

/** As many files may be open as the server takes connections; `text` is that of Linux, elsewhere nothing is said. */
export function openFiles(text: string): Finding[] {
  const most = Number(/^Max open files +(\d+)/m.exec(text)?.[1])
  if (Number.isNaN(most)) return []
  if (most >= MAX_CONNECTIONS + OTHER_FILES) return [ok('open files', `${most} at most`)]
  return [
    warn(
      'open files',
      `${most} at most where this was started, so no more connections at a time: LimitNOFILE=65536 in the unit, or ulimit -n`,
    ),
  ]
}
