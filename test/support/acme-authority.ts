import { createHash, randomBytes, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { issueCertificate } from '#tls/local-authority'
import { temporaryFolder } from './folders.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** An authority that speaks the part of ACME (RFC 8555) that one domain with an http-01 challenge needs. */
export interface AcmeAuthority {
  directory: string
  /** The certificate by which its own HTTPS is trusted, PEM: a file. */
  trusted: string
  /** How many certificates it issued. */
  issued(): number
  close(): void
}

/** Starts one that asks for challenges at a port of this machine, and issues certificates valid for so many days. */
export async function startAcmeAuthority(challengePort: () => number, days: () => number): Promise<AcmeAuthority> {
  const folder = temporaryFolder()
  const files = { cert: join(folder, 'server.pem'), key: join(folder, 'server.key') }
  await issueCertificate(folder, files, ['localhost'])
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const token = randomBytes(16).toString('base64url')
  const state = { issued: 0, status: 'pending', domain: '', thumbprint: '', chain: '' }

  const server = createServer(
    { cert: readFileSync(files.cert), key: readFileSync(files.key) },
    async (request, response) => {
      const url = (path: string) => `https://localhost:${(server.address() as AddressInfo).port}${path}`
      const send = (status: number, body: unknown, headers = {}) =>
        response
          .writeHead(status, {
            'Content-Type': 'application/json',
            'Replay-Nonce': randomBytes(8).toString('hex'),
            ...headers,
          })
          .end(typeof body === 'string' ? body : JSON.stringify(body))
      const order = () => ({
        status: state.chain ? 'valid' : state.status === 'valid' ? 'ready' : 'pending',
        identifiers: [{ type: 'dns', value: state.domain }],
        authorizations: [url('/authorization')],
        finalize: url('/finalize'),
        ...(state.chain && { certificate: url('/certificate') }),
      })
      const challenge = () => ({ type: 'http-01', status: state.status, url: url('/challenge'), token })
      const { header, payload } = await signed(request)
      if (header.jwk) state.thumbprint = thumbprintOf(header.jwk)
      switch (request.url) {
        case '/directory':
          return send(200, { newNonce: url('/nonce'), newAccount: url('/account'), newOrder: url('/order') })
        case '/account':
          return send(201, { status: 'valid' }, { Location: url('/account/1') })
        case '/order':
          if (payload.identifiers)
            Object.assign(state, { domain: payload.identifiers[0].value, status: 'pending', chain: '' })
          return send(payload.identifiers ? 201 : 200, order(), { Location: url('/order') })
        case '/authorization':
          return send(200, {
            identifier: { type: 'dns', value: state.domain },
            status: state.status,
            challenges: [challenge()],
          })
        case '/challenge': {
          const answer = await fetch(`http://127.0.0.1:${challengePort()}/.well-known/acme-challenge/${token}`)
          state.status = (await answer.text()) === `${token}.${state.thumbprint}` ? 'valid' : 'invalid'
          return send(200, challenge())
        }
        case '/finalize': {
          const csr = new x509.Pkcs10CertificateRequest(Buffer.from(payload.csr, 'base64url'))
          const certificate = await x509.X509CertificateGenerator.create({
            serialNumber: '01',
            subject: `CN=${state.domain}`,
            issuer: 'CN=Authority of a test',
            notBefore: new Date(Date.now() - 3600_000),
            notAfter: new Date(Date.now() + days() * 24 * 3600_000),
            publicKey: await csr.publicKey.export(),
            signingKey: keys.privateKey,
            signingAlgorithm: ALGORITHM,
            extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: state.domain }])],
          })
          state.chain = certificate.toString('pem')
          state.issued++
          return send(200, order(), { Location: url('/order') })
        }
        case '/certificate':
          return send(200, state.chain)
        default:
          return send(200, {})
      }
    },
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    directory: `https://localhost:${(server.address() as AddressInfo).port}/directory`,
    trusted: join(folder, 'authority.pem'),
    issued: () => state.issued,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What a signed request says; its signature is not looked at. */
async function signed(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { protected: header = '', payload = '' } = text ? JSON.parse(text) : {}
  const read = (part: string) => (part ? JSON.parse(Buffer.from(part, 'base64url').toString()) : {})
  return { header: read(header), payload: read(payload) }
}

/** RFC 7638, of a key on a curve. */
const thumbprintOf = ({ crv, kty, x, y }: { [member: string]: string }) =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
