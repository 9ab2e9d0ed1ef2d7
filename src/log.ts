import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { isoNow } from '#call'

/** So many characters go out at once; fewer after a while. One write a line would take longer than the line. */
const BATCH_CHARACTERS = 64 << 10
const FLUSH_MS = 200

let lines = ''
let timer: NodeJS.Timeout | null = null

/**
 * Where pino's lines go: standard output, together. What is left goes out when the process ends, also by an error. pino's
 * own buffering keeps a process from ending whose output is on a full disk. (docs/decisions/0019)
 */
const standardOutput = {
  write(line: string): void {
    lines += line
    if (lines.length >= BATCH_CHARACTERS) flush()
    else timer ??= setTimeout(flush, FLUSH_MS).unref()
  },
}

export type Log = Logger

/** The log of a process on standard output, as JSON lines; `number` is that of the process where there are several. */
export function createLog(level: string, number?: number): Log {
  const base = number === undefined ? null : { process: number }
  return pino({ level, base, timestamp: () => `,"time":"${isoNow()}"` }, standardOutput)
}

function flush() {
  if (timer) clearTimeout(timer)
  timer = null
  process.stdout.write(lines)
  lines = ''
}

process.on('exit', () => {
  try {
    if (lines !== '') writeSync(1, lines)
  } catch {
    // Nobody reads it any more, or its disk is full.
  }
})
