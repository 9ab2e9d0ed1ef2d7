import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Load } from '../run.ts'
import type { Finding } from '../support/finding.ts'
import { newFolder, removeFolder } from '../support/folders.ts'
import { companyOf } from '../support/million.ts'
import { startMuster } from '../support/muster.ts'
import { root } from '../support/processes.ts'
import { fireAt, repeat } from '../support/rounds.ts'
import { sizeOf } from '../support/sizes.ts'
import { usageOf } from '../support/usage.ts'
import { newTag } from './create.ts'

export const start: Load = {
  name: 'start',
  about:
    'From the start to a good /readyz with a million jobs on the disk, also after `kill -9`, memory at rest, and what npm installs from a clean cache.',
  async run(bench) {
    const company = await companyOf(bench.quick ? 10_000 : 1_000_000)
    const ready = await repeat(
      bench,
      { what: `start with ${company.jobs.toLocaleString('en')} jobs`, unit: 'ms', goal: { of: 'value', most: 1000 } },
      async () => {
        const muster = await startMuster(company, bench.serving())
        await sleep(500)
        const memory = usageOf(muster.pid)?.residentMb ?? Number.NaN
        await muster.stop()
        return { value: muster.startedMs, beside: { 'memory MB at rest': memory } }
      },
    )
    const killed = await repeat(
      bench,
      { what: 'start after kill -9 under load', unit: 'ms', goal: { of: 'value', most: 2000 } },
      async (ms) => {
        const muster = await startMuster(company, bench.serving())
        await fireAt(muster, { port: muster.port, request: newTag(company.key), ms })
        await muster.stop('SIGKILL')
        const again = await startMuster(company, bench.serving())
        await again.stop()
        return { value: again.startedMs, beside: {} }
      },
    )
    return [ready, killed, ...installed(bench)]
  },
}

/** What a fresh clone's first start installs: all that the lock file names. */
function installed({ quick }: Bench): Finding[] {
  const seconds: number[] = []
  const megabytes: number[] = []
  for (let i = 0; i < (quick ? 1 : 3); i++) {
    const folder = newFolder()
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file))
    const began = performance.now()
    execFileSync('npm', ['ci', '--loglevel=error', '--cache', join(folder, '.cache')], {
      cwd: folder,
      env: outside(),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    seconds.push((performance.now() - began) / 1000)
    megabytes.push(sizeOf(join(folder, 'node_modules')) / 1e6)
    removeFolder(folder)
  }
  return [
    { what: 'install from a clean cache', unit: 's', muster: seconds },
    { what: 'installed', unit: 'MB', muster: megabytes },
  ]
}

/** npm runs on the machine's own Node, as it does for a fresh clone. */
const outside = () => ({
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => folder !== dirname(process.execPath) && !folder.startsWith(root))
    .join(':'),
})
