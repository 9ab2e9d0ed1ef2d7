import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { described } from '#config'
import { temporaryFolder } from '#test/folders'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const dockerfile = read('Dockerfile').replace(/\\\n/g, ' ')
const settings = described.map(({ name }) => name)

/** What is copied into the image from here, and where to, under the folder of the program. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words = '']) => {
  const names = words.split(/\s+/)
  const to = (names.pop() ?? '').replace(/^\/opt\/muster/, '.')
  return names.map((name) => ({ name, to: /(^\.|\/)\/?$/.test(to) ? join(to, name) : to }))
})

describe('the container', () => {
  test('copies what there is, and .dockerignore lets through that and nothing else', () => {
    assert.ok(copied.length > 3)
    for (const { name } of copied) assert.ok(existsSync(join(root, name)), name)
    const through = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name)
    assert.deepEqual(through.toSorted(), copied.map(({ name }) => name).toSorted())
  })

  test('has in it all that a server needs, by the packages that are no tools of ours', async () => {
    const image = temporaryFolder()
    const tests = (path: string) => !path.endsWith('.test.ts')
    for (const { name, to } of copied) cpSync(join(root, name), join(image, to), { recursive: true, filter: tests })
    symlinkSync(join(root, 'node_modules'), join(image, 'node_modules'))
    const [, entry = ''] = /^ENTRYPOINT \["\/opt\/muster\/(.+)"\]$/m.exec(dockerfile) ?? []
    const { devDependencies } = JSON.parse(read('package.json'))
    const imports = globSync(join(image, 'src/**/*.ts')).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/from '(@[^/']+\/[^/']+|[^#.'][^/']*)/g)].map(([, name = '']) => name),
    )
    assert.deepEqual(
      imports.filter((name) => name in devDependencies && !name.startsWith('@types/')),
      [],
    )

    const server = spawn(join(image, entry), ['serve'], {
      env: { PATH: process.env.PATH, MUSTER_PORT: '0', MUSTER_DATA_DIR: join(image, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    for await (const text of server.stdout) {
      printed += text
      if (/serves on http/.test(printed)) break
    }
    const [, base] = /serves on (http:\S+)/.exec(printed) ?? []
    const answers = await Promise.all(['/readyz', '/docs'].map((path) => fetch(`${base}${path}`)))
    const check = JSON.parse(/^HEALTHCHECK .*?CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]').slice(1)
    const healthy = () =>
      spawnSync(join(image, 'bin/node'), check, { env: { ...process.env, MUSTER_PORT: new URL(base ?? '').port } })
        .status
    assert.equal(healthy(), 0)
    server.kill('SIGTERM')
    await once(server, 'exit')
    assert.equal(healthy(), 1)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
  })

  test('is told settings that there are, and runs as nobody in particular', () => {
    const told = [...`${dockerfile}\n${read('compose.yaml')}`.matchAll(/\bMUSTER_[A-Z_]+/g)].map(([name]) => name)
    assert.ok(told.length > 5)
    assert.deepEqual(
      told.filter((name) => !settings.includes(name as (typeof settings)[number])),
      [],
    )
    assert.match(dockerfile, /^USER [1-9]\d+:[1-9]\d+$/m)
    const [, folder] = /^ENV .*MUSTER_DATA_DIR=(\S+)/m.exec(dockerfile) ?? []
    assert.match(dockerfile, new RegExp(`^VOLUME ${folder}$`, 'm'))
    assert.match(read('compose.yaml'), new RegExp(`^ +- data:${folder}$`, 'm'))
  })
})
