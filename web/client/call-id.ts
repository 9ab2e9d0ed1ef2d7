/**
 * A UUID of version 4, the name of one request. `crypto.randomUUID` is missing from pages that came over plain http,
 * which is how a server in a local network is often reached.
 */
export function newCallId(): string {
  return uuidOf(crypto.getRandomValues(new Uint8Array(16)), 4)
}

/** A UUID of version 7: what was made later sorts behind. */
export function newOrderedId(nowMs = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(nowMs / 256 ** (5 - i)) % 256
  return uuidOf(bytes, 7)
}

function uuidOf(bytes: Uint8Array, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
