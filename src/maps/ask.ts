/** Of an answer no more is read; what is longer is no answer. */
const MAX_BYTES = 1 << 20

/**
 * What a server that the operator named says in JSON. It is led nowhere else.
 * @throws whatever keeps it from answering in time
 */
export async function askForJson(url: URL, timeoutMs: number): Promise<unknown> {
  const answer = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json', 'user-agent': 'Muster' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!answer.ok || !answer.body) throw new Error(`${url.host} answers ${answer.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`${url.host} answers with more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
