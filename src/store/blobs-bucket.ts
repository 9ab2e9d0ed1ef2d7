import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { codeOf, messageOf, Problem } from '#problem'
import type { Blobs, StoredBlob } from './blobs.ts'

/** An attempt is given up after this; the largest file that is kept has a few megabytes. */
const ATTEMPT_MS = 10_000
/** Whoever asks only whether it is there, doesn't wait that long. */
const CHECK_MS = 3_000
/** Attempts in all, and what is waited before the second; before each further one three times as long. */
const MAX_ATTEMPTS = 3
const WAIT_MS = 200

interface RequestOptions {
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
  timeoutMs?: number
}

/** Files in a bucket of a store that speaks S3, addressed by its path: `https://HOST/BUCKET/PREFIX/NAME`. */
export class BucketBlobs implements Blobs {
  readonly location: string
  private readonly bucket: string
  private readonly prefix: string
  private readonly client: AwsClient
  private readonly onFailure: (error: unknown) => void

  /** `url` as the setting has it. `onFailure` is told why the store could not be used. */
  constructor(url: string, { key, secret }: { key: string; secret: string }, onFailure: (error: unknown) => void) {
    const { protocol, host, pathname, searchParams } = new URL(url)
    const [name = '', ...folders] = pathname.split('/').filter(Boolean)
    this.location = `${protocol}//${host}${pathname}`
    this.bucket = `${protocol === 's3:' ? 'https' : 'http'}://${host}/${name}`
    this.prefix = folders.map((folder) => `${folder}/`).join('')
    const region = searchParams.get('region') ?? 'us-east-1'
    this.client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, service: 's3', region })
    this.onFailure = onFailure
  }

  async put(bytes: Buffer): Promise<string> {
    const sha256 = hash('sha256', bytes, 'hex')
    await this.request('PUT', sha256, {
      body: bytes,
      // What arrives is compared by the store with both: the one is signed, the other is kept with the file.
      headers: {
        'Content-Type': 'application/octet-stream',
        'x-amz-content-sha256': sha256,
        'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
      },
    })
    return sha256
  }

  async read(sha256: string, range?: { start: number; end: number }): Promise<Buffer> {
    return this.request('GET', sha256, range ? { headers: { Range: `bytes=${range.start}-${range.end}` } } : {})
  }

  list(): AsyncGenerator<StoredBlob> {
    return this.listPrefix('')
  }

  /** S3 can't do both at once: what is put in the milliseconds between would be lost. A sweep only asks for what lay for a day. */
  async remove(name: string, after: number): Promise<boolean> {
    for await (const kept of this.listPrefix(name))
      if (kept.name === name && kept.writtenAt < after) {
        await this.request('DELETE', name, {})
        return true
      }
    return false
  }

  private async *listPrefix(start: string): AsyncGenerator<StoredBlob> {
    for (let from: string | null = ''; from !== null; ) {
      const query: Record<string, string> = { 'list-type': '2', prefix: `${this.prefix}${start}` }
      if (from) query['continuation-token'] = from
      const page = (await this.request('GET', null, { query })).toString()
      for (const entry of page.split('<Contents>').slice(1)) {
        const name = (tag(entry, 'Key') ?? '').slice(this.prefix.length)
        const writtenAt = Date.parse(tag(entry, 'LastModified') ?? '')
        if (!name.includes('/')) yield { name, bytes: Number(tag(entry, 'Size')), writtenAt }
      }
      from = tag(page, 'IsTruncated') === 'true' ? tag(page, 'NextContinuationToken') : null
    }
  }

  async checkReachable(): Promise<void> {
    await this.attempt('GET', null, {
      query: { 'list-type': '2', prefix: this.prefix, 'max-keys': '1' },
      timeoutMs: CHECK_MS,
    })
  }

  /** One answer of the store, after as many attempts as it takes. @throws Problem unavailable */
  private async request(method: string, name: string | null, asked: RequestOptions): Promise<Buffer> {
    try {
      for (let attempt = 1; ; attempt++)
        try {
          return await this.attempt(method, name, asked)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || (error instanceof BucketError && !error.isTransient)) throw error
          await sleep(WAIT_MS * 3 ** (attempt - 1) * (0.5 + Math.random()))
        }
    } catch (error) {
      // A row names a file that isn't there: no trouble of the store's.
      if (error instanceof BucketError && error.code === 'NoSuchKey') throw error
      this.onFailure(error)
      throw new Problem('unavailable', 'The store of files is not available; try again', {
        cause: error,
        headers: { 'Retry-After': '5' },
      })
    }
  }

  private async attempt(method: string, name: string | null, asked: RequestOptions): Promise<Buffer> {
    const { query, headers = {}, body, timeoutMs = ATTEMPT_MS } = asked
    const url = name === null ? this.bucket : `${this.bucket}/${this.prefix}${name}`
    // Signed anew each time: a signature holds its date.
    const signed = await this.client.sign(`${url}${query ? `?${new URLSearchParams(query)}` : ''}`, {
      method,
      headers: { 'x-amz-content-sha256': EMPTY_SHA256, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    })
    const { ok, status, bytes } = await send(signed, timeoutMs)
    if (!ok) throw new BucketError(status, tag(bytes.toString(), 'Code'))
    return bytes
  }
}

async function send(request: Request, timeoutMs: number) {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    return { ok: answer.ok, status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  } catch (error) {
    // What fetch says itself is that it failed.
    const cause = error instanceof Error && error.cause
    const why = cause ? messageOf(cause) || codeOf(cause) : messageOf(error)
    throw new Error(`it does not answer: ${why}`, { cause: error })
  }
}

/** What the store says instead of doing it. */
class BucketError extends Error {
  readonly code: string | null
  /** It may do it when it is asked again. */
  readonly isTransient: boolean

  constructor(status: number, code: string | null) {
    super(`it answers ${status}${code ? ` ${code}` : ''}`)
    this.code = code
    this.isTransient = status >= 500 || status === 429 || code === 'RequestTimeout'
  }
}

const EMPTY_SHA256 = hash('sha256', '', 'hex')

/** The text of an element. Names of ours and what S3 makes of itself hold nothing that XML would escape. */
const tag = (xml: string, name: string) => xml.split(`<${name}>`, 2)[1]?.split('<', 1)[0] ?? null
