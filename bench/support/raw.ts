import { once } from 'node:events'
import { request } from 'node:http'

/** An answer as it travelled. */
export interface Raw {
  status: number
  /** Names and values in turn, without those that Node adds by itself. */
  headers: string[]
  body: Buffer
}

/** What `node:http` writes into any answer. */
const own = ['date', 'connection', 'keep-alive']

export async function rawAnswer(port: number, path: string, headers: { [name: string]: string } = {}): Promise<Raw> {
  const asked = request({ port, host: '127.0.0.1', path, headers: { 'Accept-Encoding': 'gzip', ...headers } }).end()
  const [answer] = await once(asked, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const pairs = (answer.rawHeaders as string[]).flatMap((name, i, all) => (i % 2 ? [] : [[name, all[i + 1] ?? '']]))
  return {
    status: answer.statusCode,
    headers: pairs.filter(([name = '']) => !own.includes(name.toLowerCase())).flat(),
    body: Buffer.concat(chunks),
  }
}

export const headerOf = ({ headers }: Raw, name: string): string =>
  headers[headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name) + 1] ?? ''
