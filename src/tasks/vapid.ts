import { createECDH, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#problem'

/** What browsers know this server by when it pushes, base64url. (RFC 8292) */
export interface VapidKeys {
  /** A point of P-256, uncompressed: the `applicationServerKey` of a browser. */
  publicKey: string
  privateKey: string
}

export const vapidFile = (folder: string) => join(folder, 'vapid.json')

/**
 * The keys of the data folder, made where there are none: of several processes that do so at once, one makes them.
 * @throws Error for a file that holds something else
 */
export async function loadVapidKeys(folder: string): Promise<VapidKeys> {
  const file = vapidFile(folder)
  return (await read(file)) ?? (await make(file))
}

async function read(file: string): Promise<VapidKeys | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const sentence = `${file} holds no keys: put the right one back, or remove it and have every phone subscribe anew`
  try {
    const { publicKey, privateKey } = JSON.parse(text)
    const own = createECDH('prime256v1')
    own.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    if (own.getPublicKey('base64url') === publicKey) return { publicKey, privateKey }
  } catch (cause) {
    throw new Error(sentence, { cause })
  }
  throw new Error(sentence)
}

async function make(file: string): Promise<VapidKeys> {
  const own = createECDH('prime256v1')
  own.generateKeys()
  // It may come without its leading zeros.
  const privateKey = Buffer.concat([Buffer.alloc(32), own.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
  const keys = { publicKey: own.getPublicKey('base64url'), privateKey }
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // Whole or not at all, and never over another's.
    await link(draft, file)
    return keys
  } catch (error) {
    const others = codeOf(error) === 'EEXIST' ? await read(file) : null
    if (others) return others
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}
