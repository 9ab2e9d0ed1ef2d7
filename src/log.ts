import { writeSync } from 'node:fs'

/** So many characters go out at once; fewer after a while. One write a line would take longer than the line. */
const AT_ONCE = 64 << 10
const WAIT_MS = 200

let lines = ''
let timer: NodeJS.Timeout | null = null

/** Where pino's lines go: standard output, together. What is left goes out when the process ends, also by an error. */
export const standardOutput = {
  write(line: string): void {
    lines += line
    if (lines.length >= AT_ONCE) flush()
    else timer ??= setTimeout(flush, WAIT_MS).unref()
  },
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
