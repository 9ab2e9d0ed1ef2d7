import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { temporaryFolder } from '../../test/support/folders.ts'

const web = resolve(import.meta.dirname, '..')
const committed = join(web, 'dist')

test('web/dist is what `npm run build:web` makes of the source, byte for byte', async () => {
  const outDir = temporaryFolder()
  await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn', build: { outDir } })
  const built = readdirSync(outDir).sort()
  assert.deepEqual(readdirSync(committed).sort(), built)
  for (const file of built) {
    const [ours, made] = [committed, outDir].map((folder) => readFileSync(join(folder, file)))
    // Another processor may compress otherwise: what counts is what comes out.
    const [a, b] = file.endsWith('.gz') ? [gunzipSync(ours as Buffer), gunzipSync(made as Buffer)] : [ours, made]
    assert.ok(a?.equals(b as Buffer), `${file} is not as it is built: npm run build:web`)
  }
})

test('what is compressed beside a file is that file', () => {
  for (const file of readdirSync(committed)) {
    const unpack = { br: brotliDecompressSync, gz: gunzipSync }[file.split('.').at(-1) ?? '']
    if (unpack)
      assert.ok(
        unpack(readFileSync(join(committed, file))).equals(readFileSync(join(committed, file.slice(0, -3)))),
        file,
      )
  }
})

test('the shell of the office is under 150 KB of gzip', () => {
  const html = readFileSync(join(committed, 'index.html'), 'utf8')
  const first = [...html.matchAll(/(?:src|href)="\.\/([\w.-]+\.(?:js|css))"/g)].map(([, file]) => `${file}`)
  const bytes = first.map((file) => gzipSync(readFileSync(join(committed, file))).length)
  assert.ok(
    bytes.reduce((sum, one) => sum + one, 0) < 150 << 10,
    `${first.map((file, i) => `${file} ${bytes[i]}`).join(', ')}`,
  )
})
