import { createTransport } from 'nodemailer'
import type { Config } from '#config'

export interface Mail {
  to: string
  subject: string
  text: string
  /** The same for every attempt: whoever gets two keeps one. */
  id: string
}

/** Sends one mail. @throws when the server of mails refuses it, is away, or hangs */
export type SendMail = (mail: Mail) => Promise<void>

/** A server of mails that says nothing for so long is taken for gone. */
const SILENCE_MS = 20_000

/** How mails are sent by the settings; null where none are. */
export function mailer({ MUSTER_SMTP_URL: url, MUSTER_MAIL_FROM: from }: Config): SendMail | null {
  if (url === null) return null
  const transport = createTransport({
    url,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
  })
  const domain = from.split('@').at(-1)
  return async ({ to, subject, text, id }) => {
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text, messageId: `<${id}@${domain}>` })
  }
}
