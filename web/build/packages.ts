import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const web = resolve(import.meta.dirname, '..')
const [wanted, installed] = [join(web, 'package-lock.json'), join(web, 'node_modules/.muster-lock.json')]

/**
 * Installs what web/package-lock.json names, unless it is there: whoever checks, tests or builds the client needs it;
 * whoever serves it does not. `npm ci` empties the folder first, so the copy of the lock file says that it came to its end.
 */
export function installPackages(): void {
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted))) return
  process.stderr.write('muster: installing what web/package-lock.json names\n')
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: web, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('npm ci failed in web/, see above')
  copyFileSync(wanted, installed)
}
