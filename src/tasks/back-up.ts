import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { VerifiedBackup } from '#store/verified-backup'
import { repeat } from './repeat.ts'

const LOOK_MS = 30_000
/** After one that failed. */
const AGAIN_MS = 3600_000
const command = fileURLToPath(import.meta.resolve('#cli/main'))

interface Log {
  info(more: object, sentence: string): void
  error(more: object, sentence: string): void
}

/**
 * Makes a backup each day, as `MUSTER_BACKUP_AT` says; one that was missed, as soon as the server runs. It is `muster
 * backup`, in a process of its own that yields to the server's. Of several servers, one makes it. Answers how to stop.
 */
export function backUpDaily(
  at: string | null,
  log: Log,
  lastVerifiedBackup: () => Promise<VerifiedBackup | null>,
): () => void {
  if (at === null) return () => {}
  let tried = 0
  let child: ChildProcess | null = null

  const look = async () => {
    const verifiedAt = Date.parse((await lastVerifiedBackup())?.made_at ?? '') || 0
    const due = lastDue(at, new Date())
    if (verifiedAt >= due || Date.now() < tried + AGAIN_MS) return
    tried = Date.now()
    // Another server may make it before this process has begun.
    const words = ['backup', '--since', new Date(due).toISOString(), '--json']
    const running = spawn(process.execPath, [...process.execArgv, command, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = running
    running.on('spawn', () => setPriority(running.pid ?? 0, 10))
    const ended = new Promise<number | null>((done, failed) => running.once('close', done).once('error', failed))
    const [code, said, complaint] = await Promise.all([ended, text(running.stdout), text(running.stderr)])
    child = null
    if (code !== 0) return log.error({ code, complaint }, 'the backup failed')
    const { file, made_at, rows, files, bytes, missing, removed } = JSON.parse(said)
    if (file)
      log.info({ backup: { file, made_at, rows, files, bytes, missing, removed } }, 'made a backup and proved it')
  }

  const failed = (err: unknown) => log.error({ err }, 'the backup failed')
  const first = setImmediate(() => void look().catch(failed))
  const stop = repeat(LOOK_MS, look, failed)
  return () => {
    clearImmediate(first)
    stop()
    // None begins any more, also where it was looked for at this moment.
    tried = Number.POSITIVE_INFINITY
    child?.kill()
  }
}

/** The last moment at which the clock of the machine showed this time, in milliseconds since 1970. */
export function lastDue(at: string, now: Date): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const due = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hours, minutes)
  if (due > now) due.setDate(due.getDate() - 1)
  return due.getTime()
}
