/** A request as the bytes that travel. */
export function requestOf(
  method: string,
  path: string,
  headers: { [name: string]: string } = {},
  body?: string | Buffer,
): Buffer {
  const lines = Object.entries({
    Host: 'bench',
    'Accept-Encoding': 'gzip',
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(body ?? '')])
}
