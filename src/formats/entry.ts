/** A value of JSON. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type Id = string | number
/** The ids that the server gave to what a phone made: there they are negative until then. */
export type GivenIds = ReadonlyMap<number, Id>

/** The call that an entry of a phone's outbox is; its ids may be of what was made there. */
export interface KeptCall {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under `/v5`, without the format: `jobs/5/steps/12/completion`. */
  path: string
  query?: { [name: string]: string }
  body?: { [root: string]: Json }
  /** Each field's value as the person saw it. */
  base?: { [field: string]: Json }
}

/** The address that it is sent to; null while the server hasn't given an id that is in it. */
export function addressOf({ path, query }: KeptCall, given: GivenIds): string | null {
  const parts = path.split('/').map((part) => (/^-\d+$/.test(part) ? (given.get(Number(part)) ?? null) : part))
  return parts.includes(null) ? null : `/v5/${parts.join('/')}.json${query ? `?${new URLSearchParams(query)}` : ''}`
}

/** The body that it is sent with; null for none. */
export function bodyOf({ body, base }: KeptCall, given: GivenIds): { [root: string]: Json } | null {
  if (!body && !base) return null
  return { ...(body && (withGiven(body, given) as { [root: string]: Json })), ...(base && { base }) }
}

function withGiven(value: Json, given: GivenIds, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => withGiven(item, given, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, withGiven(item, given, field)]))
  return typeof value === 'number' && value < 0 && /(^|_)ids?$/.test(name) ? (given.get(value) ?? value) : value
}

/** Which id the server gave to each that was made on the phone: of the record, and of its items by their order. */
export function givenIds(made: { [field: string]: Json }, given: { [field: string]: Json }): Map<number, Id> {
  const ids = new Map<number, Id>()
  note(made, given)
  for (const [name, items] of Object.entries(made)) {
    const theirs = given[name]
    if (Array.isArray(items) && Array.isArray(theirs)) for (const [i, item] of items.entries()) note(item, theirs[i])
  }
  return ids

  function note(one: Json, other: Json | undefined) {
    const [id, to] = [idOf(one), idOf(other ?? null)]
    if (typeof id === 'number' && id < 0 && to !== null) ids.set(id, to)
  }
}

const idOf = (value: Json): Id | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? ((value.id ?? null) as Id | null) : null

/**
 * What waits on a phone, as a file that only the server of its company can read. One line of JSON in clear (who, how much, a
 * public key that is made for the file), then frames: four bytes of length, and so many of AES-256-GCM. The key is HKDF-SHA-256
 * of the ECDH secret of both keys on P-256, with the line as its salt, so that no byte of it can be another. The nonce is the
 * number of the frame, and whether it is the last, so that none is missing. In a frame: four bytes of length, so much
 * JSON, and bytes of a file. The first says who wrote it, each other is an entry.
 */
export interface RescueHead {
  muster_rescue: 1
  account_id: number
  user_id: number
  user_name: string
  device_id: string
  made_at: string
  entries: number
  /** A point of P-256, uncompressed, base64url. */
  public_key: string
}

/** The proof of who wrote it, which their phone was given; and ids that the server has given to it before. */
export interface RescueAuthor {
  token: string
  given: [made: number, given: Id][]
}

export interface RescueEntry extends KeptCall {
  /** The `Idempotency-Key`. */
  id: string
  made_at: string
  /** Ids of entries that it needs. */
  after: string[]
  /** What it makes, with the ids that the phone gave it. */
  made: { record: string; row: { [field: string]: Json } }[]
  /** Type of the bytes that go with it. */
  type?: string
}
