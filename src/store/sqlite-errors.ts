import { codeOf, noRoom, Problem } from '#problem'

/** The result code of SQLite, without what extends it; 0 for what isn't its error. */
const resultCodeOf = (error: unknown): number =>
  codeOf(error) === 'ERR_SQLITE_ERROR' && error instanceof Error && 'errcode' in error
    ? Number(error.errcode) & 0xff
    : 0

/** SQLITE_BUSY */
export const isBusy = (error: unknown): boolean => resultCodeOf(error) === 5

/** SQLITE_CORRUPT and SQLITE_NOTADB */
export const isCorrupt = (error: unknown): boolean => [11, 26].includes(resultCodeOf(error))

/** A disk that is full or a file that is locked is no bug of ours: it passes, and nothing was kept. */
export function storageProblem(error: unknown): unknown {
  // SQLITE_FULL 13, SQLITE_IOERR 10
  if ([13, 10].includes(resultCodeOf(error))) return noRoom(error)
  if (!isBusy(error)) return error
  return new Problem('unavailable', 'The database is busy; try again', {
    cause: error,
    headers: { 'Retry-After': '1' },
  })
}
