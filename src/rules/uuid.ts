import { randomUUIDv7 } from 'node:crypto'

let last = ''

/**
 * A UUID that is greater than all before it in this process: the order of ids is the order of creation, also of the
 * messages that come in one request. Version 7 alone leaves the order within a millisecond to chance.
 */
export function nextUuid(): string {
  const next = randomUUIDv7()
  last = next.slice(0, MOMENT) > last.slice(0, MOMENT) ? next : following(last)
  return last
}

/** The characters that tell the millisecond. */
const MOMENT = 13

/** Counted on in its last 48 bits, which are random and so all but never full. */
function following(uuid: string): string {
  const count = BigInt(`0x${uuid.slice(-12)}`) + 1n
  if (count > 0xffff_ffff_ffffn) return randomUUIDv7()
  return uuid.slice(0, -12) + count.toString(16).padStart(12, '0')
}
