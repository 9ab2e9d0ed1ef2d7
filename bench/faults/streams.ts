import { once } from 'node:events'
import { get } from 'node:http'

/** One stream of events that is read. */
export interface Listener {
  text(): string
  /** The longest that nothing came. */
  quietMs(): number
  close(): void
}

export async function listen(port: number, key: string): Promise<Listener> {
  const asked = get({
    port,
    host: '127.0.0.1',
    path: `/v5/events?api_key=${key}`,
    headers: { Accept: 'text/event-stream', 'Accept-Encoding': 'gzip' },
  })
  const [answer] = await once(asked, 'response')
  asked.on('error', () => {})
  let [text, heard, longest] = ['', performance.now(), 0]
  answer.setEncoding('utf8')
  answer.on('error', () => {})
  answer.on('data', (part: string) => {
    text += part
    longest = Math.max(longest, performance.now() - heard)
    heard = performance.now()
  })
  return {
    text: () => text,
    quietMs: () => Math.round(Math.max(longest, performance.now() - heard)),
    close: () => void asked.destroy(),
  }
}
