import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { temporaryFolder } from './folders.ts'

/** A server that speaks S3, from npm: fetched once, when it is first needed. */
const PACKAGE = '@20minutes/s3rver'
const VERSION = '5.0.0'

export interface BucketServer extends AsyncDisposable {
  /** What `readConfig` must be told to keep files there. */
  settings: { [name: string]: string }
  /** The status that is answered in place of the store's, 0 to hang up; null lets a request through. */
  instead: (() => number | null) | null
  /** What it was asked, as `PUT /files/…`. */
  asked: string[]
  close(): Promise<void>
}

/** A bucket `files` in a store of its own, which checks signatures; before it a door that can be closed. */
export async function startBucket(): Promise<BucketServer> {
  const child = spawn(process.execPath, ['--openssl-legacy-provider', '--eval', RUN], {
    env: { ...process.env, PLACE: home(), FOLDER: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const [printed] = await once(child.stdout, 'data')
  const port = Number(printed)

  const door = createServer((sent, response) => {
    bucket.asked.push(`${sent.method} ${sent.url}`)
    const status = bucket.instead?.() ?? null
    if (status === 0) return void sent.socket.destroy()
    if (status !== null) return void sent.resume().once('end', () => response.writeHead(status).end())
    const { method, url: path, headers } = sent
    sent.pipe(
      request({ port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  const close = async () => {
    process.off('exit', kill)
    door.close().closeAllConnections()
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const bucket: BucketServer = {
    settings: {
      MUSTER_FILES_URL: `s3+http://127.0.0.1:${(door.address() as AddressInfo).port}/files/muster/photos`,
      MUSTER_FILES_KEY: 'S3RVER',
      MUSTER_FILES_SECRET: 'S3RVER',
    },
    instead: null,
    asked: [],
    close,
    [Symbol.asyncDispose]: close,
  }
  return bucket
}

/** In a process of its own, since its tokens are made with a cipher that OpenSSL calls legacy. */
const RUN = `
  const S3rver = require(process.env.PLACE)
  const store = new S3rver({ silent: true, port: 0, address: '127.0.0.1', directory: process.env.FOLDER,
    allowMismatchedSignatures: false, configureBuckets: [{ name: 'files' }] })
  store.run().then(({ port }) => console.log(port))`

function home(): string {
  const folder = resolve(import.meta.dirname, '../../node_modules/.s3')
  const found = join(folder, 'node_modules', PACKAGE)
  if (!existsSync(join(found, 'package.json'))) {
    process.stderr.write('fetching a store that speaks S3 for the tests\n')
    mkdirSync(folder, { recursive: true })
    const npm = spawnSync(
      'npm',
      ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    if (npm.status !== 0) throw new Error(`${PACKAGE} is not to be had from npm`)
  }
  return found
}
