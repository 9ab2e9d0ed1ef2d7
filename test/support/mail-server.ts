import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  /** For MUSTER_SMTP_URL. */
  url: string
  /** Mails that came, as they travelled. */
  mails: string[]
  /** What the next mails are answered with in place of being taken. */
  refuse(error: Error | null): void
}

/** A server of mails on this machine, which takes whatever it is sent. */
export async function mailServer(t: TestContext): Promise<MailServer> {
  const mails: string[] = []
  let refusal: Error | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (!refusal) mails.push(Buffer.concat(chunks).toString())
        done(refusal)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse(error) {
      refusal = error
    },
  }
}
