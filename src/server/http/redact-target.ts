/** Characters of an address that a line of the log shows. */
const MAX_CHARACTERS = 1024

/**
 * The target of a request as the log may show it: short, and without keys, passwords and tokens, however their
 * parameter was spelled. Each character is looked at a constant number of times.
 */
export function redactTarget(target: string): string {
  const plain = decodeTarget(target.slice(0, MAX_CHARACTERS))
  const secret = /key|password|token|secret/i.test(plain) || plain.includes('@') || key.test(plain)
  const shown = secret ? plain.split(separators).map(hideSecret).join('') : target.slice(0, MAX_CHARACTERS)
  return target.length > MAX_CHARACTERS || shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS)}…` : shown
}

/** What parameters stand between; caught, so that they stay where they are. */
const separators = /([?&;#])/

/** What our keys and cookies look like, wherever one stands. */
const key = /[0-9a-z]_[\w-]{20}/

function hideSecret(piece: string): string {
  const word = piece.search(/key|password|token|secret/i)
  const value = word < 0 ? -1 : piece.slice(word).search(/[=:]/)
  if (value >= 0) return `${piece.slice(0, word + value + 1)}[hidden]`
  // Who signs in stands before the host: `http://user:KEY@host/`.
  const [scheme, at] = [piece.indexOf('://'), piece.lastIndexOf('@')]
  if (scheme >= 0 && at > scheme) return `${piece.slice(0, scheme)}://[hidden]${hideSecret(piece.slice(at))}`
  return piece
    .split('/')
    .map((segment) => (key.test(segment) ? '[hidden]' : segment))
    .join('/')
}

/** As the most lenient reader understands it: decoded as often as it was encoded. */
function decodeTarget(text: string): string {
  const once = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return once === text ? text : decodeTarget(once)
}
