import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'

const page = readFileSync('docs/a-day.md', 'utf8')

/** What the page has a reader type, and what it says is printed then. */
const [start, ...blocks] = [...page.matchAll(/^```sh\n(.*?)^```\n(?:\n```\n(.*?)^```$)?/gms)].map(
  ([, commands = '', shown = '']) => ({ commands, shown: shown.trim() }),
)
const place = '/tmp/a-day'

describe('the page of a day', { concurrency: true }, () => {
  if (spawnSync('curl', ['--version']).status === 0)
    test('is answered as it says, with the curl of this machine', () => follow(process.env.PATH ?? ''))

  // Who has git, npm and Node only can run the tests too: then with a curl of theirs.
  test('is answered as it says, with as much of curl as the tests bring', () => follow(withOwnCurl()))
})

/** Does what the page says, block by block, in one shell and against a server that was started as it says. */
async function follow(path: string) {
  const folder = temporaryFolder()
  assert.match(start?.commands ?? '', / npm start \| tee \/tmp\/a-day\/start\.txt$/m)
  const settings = Object.fromEntries(start?.commands.match(/MUSTER_\w+=\S+/g)?.map((said) => said.split('=')) ?? [])
  const server = await startServer({ ...settings, MUSTER_DATA_DIR: join(folder, 'data') })
  writeFileSync(join(folder, 'start.txt'), server.printed())
  const script = blocks.map(({ commands }, i) => `exec >'${folder}/${i}.out' 2>&1\n${commands}`)
  const shell = spawn('sh', ['-s'], {
    // The page's `node` is this one, whatever the machine has.
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${path}` },
    stdio: ['pipe', 'ignore', 'inherit'],
    // A group of its own, so that its listener ends with it.
    detached: true,
  })
  const stop = () => process.kill(-(shell.pid as number), 'SIGKILL')
  const tooLong = setTimeout(stop, 120_000)
  try {
    shell.stdin.end(`${script.join('\n').replaceAll(place, folder)}\nkill $LISTENER\n`)
    await once(shell, 'exit')
    for (const [i, { commands, shown }] of blocks.entries()) {
      const printed = readFileSync(join(folder, `${i}.out`), 'utf8').trim()
      assert.equal(asShown(printed, shown), shown, `after\n${commands}`)
    }
  } finally {
    clearTimeout(tooLong)
    server.kill('SIGTERM')
    await server.ended
  }
}

/** What was printed, with each line that fits the one of the page written as there. */
function asShown(printed: string, shown: string): string {
  const expected = shown.split('\n')
  const fits = (line: string, pattern: string) =>
    new RegExp(`^${pattern.split('…').map(RegExp.escape).join('.+')}$`).test(line)
  return printed
    .split('\n')
    .map((line, i) => (fits(line, expected[i] ?? '') ? (expected[i] ?? '') : line))
    .join('\n')
}

function withOwnCurl(): string {
  const bin = join(temporaryFolder(), 'bin')
  mkdirSync(bin)
  const curl = resolve(import.meta.dirname, '../support/curl.ts')
  writeFileSync(join(bin, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${curl}' "$@"\n`)
  chmodSync(join(bin, 'curl'), 0o755)
  return `${bin}${delimiter}${process.env.PATH}`
}
