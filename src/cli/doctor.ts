import { type Config, InvalidSetting } from '#config'
import { type Finding, fail } from './doctor/finding.ts'
import { checkFolder } from './doctor/folder.ts'
import { checkMachine } from './doctor/machine.ts'
import { checkPort } from './doctor/network.ts'
import { checkPush } from './doctor/push.ts'
import { checkSettings } from './doctor/settings.ts'
import { checkTls } from './doctor/tls.ts'
import { json, type Run, table, type Verb } from './verb.ts'

export const doctor: Verb = {
  usage: '',
  about:
    'Look for what goes wrong on a machine, and say what to do. Changes nothing but what --sweep says, and works while the server runs. Exit code 1 when something is broken.',
  options: {
    all: { about: 'Read the whole database and every file, however long that takes; else a part of each' },
    sweep: { about: 'Remove files that no record names and that are older than a day' },
    ...json,
  },
  words: [0, 0],
  async run(run) {
    const findings = await examine(run)
    const healthy = findings.every(({ state }) => state !== 'bad')
    run.answer({ ok: healthy, checks: findings })
    for (const line of table(findings.map(({ state, check, says }) => [state.padEnd(4), check, says]))) run.say(line)
    run.say(healthy ? '\nNothing is broken' : '\nSomething is broken, see the lines that begin with bad')
    if (!healthy) process.exitCode = 1
  },
}

async function examine(run: Run): Promise<Finding[]> {
  const config = settings(run)
  const machine = await checkMachine()
  if ('check' in config) return [...machine, config]
  const { checkData } = await import('./doctor/data.ts')
  return [
    ...machine,
    ...checkSettings(config),
    ...(await checkFolder(config)),
    ...(await checkData(config, { all: run.flags.all === true, sweep: run.flags.sweep === true })),
    ...(await checkTls(config)),
    ...(await checkPush(config)),
    await checkPort(config),
  ]
}

function settings(run: Run): Config | Finding {
  try {
    return run.config
  } catch (error) {
    if (error instanceof InvalidSetting) return fail('settings', error.message)
    throw error
  }
}
