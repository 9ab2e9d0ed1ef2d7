import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { fieldError, ValidationError } from '#fields'
import { rescueHeadOf } from '#formats/rescue-file'
import { invalid } from '#problem'
import { playRescue } from '#server/rescue'
import { accountOf } from './accounts.ts'
import { json, table, type Verb } from './verb.ts'

/** Takes in what waited on a phone that can't send it any more. */
export const rescue: Verb = {
  usage: 'FILE',
  about:
    'Take in what a phone saved: each entry is done once, as its person and at its time, also when it was sent before.',
  options: json,
  words: [1, 1],
  async run({ open, words: [file = ''], say, answer }) {
    const bytes = await readFile(file)
    const app = await open()
    const account = await accountOf(app, String(headOf(bytes).account_id))
    const socket = new Socket()
    const report = await playRescue(app, account, bytes, `muster rescue ${randomUUID()}`, (url, headers) =>
      Object.assign(new IncomingMessage(socket), { url, headers }),
    )
    answer(report)
    say(`Of ${report.user_name} (user ${report.user_id}), saved at ${report.made_at}:\n`)
    const rows = report.entries.map(({ made_at, outcome, method, path, errors }) => [
      made_at,
      outcome,
      `${method} ${path}`,
      errors.map(({ message }) => message).join('; '),
    ])
    for (const line of table([['MADE AT', 'OUTCOME', 'WHAT', ''], ...rows])) say(line)
    if (report.entries.some(({ outcome }) => outcome === 'refused' || outcome === 'held')) process.exitCode = 1
  },
}

function headOf(bytes: Buffer) {
  try {
    return rescueHeadOf(bytes)
  } catch (error) {
    throw error instanceof ValidationError ? invalid([fieldError('file', error)]) : error
  }
}
