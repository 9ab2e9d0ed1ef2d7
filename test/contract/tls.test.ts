import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, get as getPlain, type IncomingMessage } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { connect } from 'node:tls'
import { startAcmeAuthority } from '#test/acme-authority'
import { temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'
import { until } from '#test/until'
import { describeCertificate } from '#tls/certificate'
import { issueCertificate, renewCertificate } from '#tls/local-authority'

/** HTTPS by Muster itself: without it, browsers give a phone neither a service worker nor a camera. */
const root = resolve(import.meta.dirname, '../..')

describe('an authority of its own', () => {
  test('muster tls makes a certificate that a client with the authority takes, and keys nobody else can read', async (t) => {
    const { folder, authority } = madeByCommand(['localhost', '127.0.0.1'])
    const server = await startServer({ MUSTER_DATA_DIR: folder })
    t.after(() => server.kill('SIGKILL'))
    assert.match(server.base, /^https:/)
    assert.equal((await asked(server.base, '/healthz', authority)).statusCode, 200)
    await assert.rejects(asked(server.base, '/healthz', undefined), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    for (const name of ['authority.key', 'server.key'])
      assert.equal(statSync(join(folder, 'tls', name)).mode & 0o777, 0o600)
  })

  test('a second certificate is signed by the same authority, which phones trust already', () => {
    const first = madeByCommand(['localhost'])
    const second = madeByCommand(['localhost', 'muster.lan'], first.folder)
    assert.deepEqual(second.authority, first.authority)
    assert.deepEqual(describeCertificate(readFileSync(join(first.folder, 'tls/server.pem'))).names, [
      'localhost',
      'muster.lan',
    ])
  })

  test('a certificate with much time left is not made anew; one of a folder without an authority never is', async () => {
    const folder = temporaryFolder()
    const files = { cert: join(folder, 'server.pem'), key: join(folder, 'server.key') }
    assert.equal(await renewCertificate(folder, files), false)
    await issueCertificate(folder, files, ['localhost'])
    assert.equal(await renewCertificate(folder, files), false)
  })

  test('plain HTTP leads to HTTPS, and gives phones the authority and nothing else', async (t) => {
    const { folder, authority } = madeByCommand(['localhost'])
    const port = await freePort()
    const server = await startServer({ MUSTER_DATA_DIR: folder, MUSTER_PLAIN_PORT: String(port) })
    t.after(() => server.kill('SIGKILL'))
    const ask = (path: string, headers = {}) => plain(port, path, headers)
    const moved = await ask('/v5/tags.xml?page=2', { Host: `localhost:${port}` })
    assert.equal(moved.status, 308)
    assert.equal(moved.headers.location, `https://localhost:${new URL(server.base).port}/v5/tags.xml?page=2`)
    assert.equal((await ask('/', { Host: 'evil.example/@x' })).status, 400)

    assert.match((await ask('/trust')).body.toString(), /Put Muster on this phone/)
    assert.ok((await ask('/trust')).body.toString().includes(new X509Certificate(authority).fingerprint256.slice(0, 2)))
    assert.deepEqual((await ask('/trust/muster.crt')).body, new X509Certificate(authority).raw)
    assert.match((await ask('/trust/muster.mobileconfig')).body.toString(), /com\.apple\.security\.root/)
    assert.match((await ask('/trust/code.svg')).body.toString(), /^<svg /)
    for (const path of [
      '/trust/authority.key',
      '/trust/../tls/authority.key',
      '/.well-known/acme-challenge/../../authority.key',
    ])
      assert.equal((await ask(path)).status, 404, path)
  })
})

describe('the operator’s certificate', () => {
  test('one that takes its place is served without a restart; while only one of its files has changed, the old one is', async (t) => {
    const [first, second] = [madeByCommand(['localhost']), madeByCommand(['localhost'])]
    const folder = temporaryFolder()
    const files = { MUSTER_TLS_CERT: join(folder, 'cert.pem'), MUSTER_TLS_KEY: join(folder, 'key.pem') }
    const put = (from: string, which: 'pem' | 'key') =>
      copyFileSync(join(from, `tls/server.${which}`), which === 'pem' ? files.MUSTER_TLS_CERT : files.MUSTER_TLS_KEY)
    put(first.folder, 'pem')
    put(first.folder, 'key')
    const server = await startServer({ MUSTER_DATA_DIR: temporaryFolder(), ...files })
    t.after(() => server.kill('SIGKILL'))
    const before = await fingerprint(server.base)
    put(second.folder, 'pem')
    await until(() => server.printed().includes('are not a certificate and its private key'), 'it is told')
    assert.equal(await fingerprint(server.base), before)
    put(second.folder, 'key')
    await until(async () => (await fingerprint(server.base)) !== before, 'the new one is served')
    assert.equal(await fingerprint(server.base), fingerprintOf(second.folder))
  })

  test('files that are missing or do not belong together stop the start, by their names', async () => {
    const [first, second] = [madeByCommand(['localhost']), madeByCommand(['localhost'])]
    const of = (cert: string, key: string) =>
      startServer({
        MUSTER_DATA_DIR: temporaryFolder(),
        MUSTER_TLS_CERT: join(cert, 'tls/server.pem'),
        MUSTER_TLS_KEY: join(key, 'tls/server.key'),
      })
    await assert.rejects(
      of(first.folder, second.folder),
      /server\.pem and .*server\.key are not a certificate and its private key/,
    )
    await assert.rejects(of('/nowhere', first.folder), /\/nowhere\/tls\/server\.pem can't be read/)
    await assert.rejects(startServer({ MUSTER_DATA_DIR: temporaryFolder(), MUSTER_TLS_CERT: 'x' }), /need each other/)
  })
})

test('a domain gets its certificate by ACME at the first start, keeps it at the second, and renews one that ends soon', async (t) => {
  const port = await freePort()
  let days = 90
  const authority = await startAcmeAuthority(
    () => port,
    () => days,
  )
  t.after(() => authority.close())
  const settings = {
    MUSTER_DATA_DIR: temporaryFolder(),
    MUSTER_ACME_DOMAIN: 'work.example.com',
    MUSTER_ACME_DIRECTORY: authority.directory,
    MUSTER_PLAIN_PORT: String(port),
    NODE_EXTRA_CA_CERTS: authority.trusted,
  }
  const start = async () => {
    const server = await startServer(settings)
    const { names } = describeCertificate(Buffer.from((await presented(server.base)).toString()))
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0, server.printed())
    return names
  }
  days = 20
  assert.deepEqual(await start(), ['work.example.com'])
  assert.equal(authority.issued(), 1)
  days = 90
  await start()
  assert.equal(authority.issued(), 2, 'twenty days are too few')
  await start()
  assert.equal(authority.issued(), 2, 'ninety are enough')
  authority.close()
  await start()
})

function madeByCommand(names: string[], folder = join(temporaryFolder(), 'data')) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const env = { ...process.env, MUSTER_DATA_DIR: folder }
  execFileSync('bin/muster', ['tls', ...names], { cwd: root, env })
  return { folder, authority: readFileSync(join(folder, 'tls/authority.pem')) }
}

function asked(base: string, path: string, ca: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((found, failed) => {
    get(`${base}${path}`, { agent: false, ...(ca && { ca }) }, (response) => found(response.resume())).once(
      'error',
      failed,
    )
  })
}

function plain(port: number, path: string, headers: { [name: string]: string }) {
  return new Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: Buffer }>(
    (found, failed) => {
      getPlain({ port, path, headers, agent: false }, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        found({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) })
      }).once('error', failed)
    },
  )
}

/** The certificate that a server presents. */
function presented(base: string): Promise<X509Certificate> {
  return new Promise((found, failed) => {
    const { hostname: host, port } = new URL(base)
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      found(new X509Certificate(socket.getPeerCertificate().raw))
      socket.destroy()
    }).once('error', failed)
  })
}

const fingerprint = async (base: string) => (await presented(base)).fingerprint256
const fingerprintOf = (folder: string) =>
  new X509Certificate(readFileSync(join(folder, 'tls/server.pem'))).fingerprint256

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
