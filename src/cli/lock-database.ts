import { dirname } from 'node:path'
import { Problem } from '#problem'
import { lockFile } from '#store/file-lock'
import { makeFolder } from '#store/folder'

/**
 * Holds a file of SQLite for who serves it, or puts another in its place; other commands work beside them. Answers how to
 * let go. @throws Problem where somebody else has it
 */
export function lockDatabase(file: string, otherwise: string): () => void {
  makeFolder(dirname(file), 'folder of the database', 'MUSTER_DATABASE_URL')
  const release = lockFile(`${file}.serving`)
  if (!release) throw new Problem('unavailable', otherwise)
  return release
}

/** The same for a command that needs it for itself. */
export const lockExclusively = (file: string) =>
  lockDatabase(file, `a server runs on ${file}: stop it first. Nothing was changed`)
