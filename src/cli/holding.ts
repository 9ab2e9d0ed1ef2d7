import { dirname } from 'node:path'
import { Problem } from '#problem'
import { makeFolder } from '#store/folder'
import { hold } from '#store/hold'

/**
 * Holds a file of SQLite for who serves it, or puts another in its place; other commands work beside them. Answers how to
 * let go. @throws Problem where somebody else has it
 */
export function holdDatabase(file: string, otherwise: string): () => void {
  makeFolder(dirname(file), 'folder of the database', 'MUSTER_DATABASE_URL')
  const release = hold(`${file}.serving`)
  if (!release) throw new Problem('unavailable', otherwise)
  return release
}

/** The same for a command that needs it for itself. */
export const holdAlone = (file: string) =>
  holdDatabase(file, `a server runs on ${file}: stop it first. Nothing was changed`)
