import { isUtf8 } from 'node:buffer'
import { Problem } from '#problem'

/**
 * The text of a body, in any charset that the platform knows, else UTF-8; without its byte order mark. Bytes are
 * checked first, since a parser of strings can't see bad ones.
 * @throws Problem malformed (400) for bytes that the charset doesn't have
 */
export function decode(body: Buffer, charset: string | null): string {
  const decoder = decoderOf(charset)
  try {
    if (decoder) return decoder.decode(body)
  } catch (error) {
    throw new Problem('malformed', `The body is not valid ${decoder?.encoding}`, { cause: error })
  }
  if (!isUtf8(body)) throw new Problem('malformed', 'The body is not valid UTF-8')
  const text = body.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function decoderOf(charset: string | null): InstanceType<typeof TextDecoder> | null {
  if (charset === null || /^utf-?8$/i.test(charset)) return null
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return null
  }
}
