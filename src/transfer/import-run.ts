import type { Call } from '#call'
import type { RawObject, RecordType } from '#fields'
import type { Mutations } from '#rules/mutations'
import type { Archive } from './archive.ts'
import type { Report } from './report.ts'

/** One import under way. */
export interface ImportRun {
  mutations: Mutations
  call: Call
  report: Report
  /** The account that the ids of the file are of. */
  source: string
  /** Whether that is another one than this. */
  foreign: boolean
  /** What an archive has of each record; null for a file of one record. */
  archive: Archive | null
  /** Records of the file, in the order in which they come in. */
  order: RecordType[]
  /** Ids of the file's rows that were refused: `customers 17`. */
  refused: Set<string>
  /** How often a row without any identity has come already, by what it says. */
  repeated: Map<string, number>
  /** References of rows to what the archive doesn't have, and that were left out. */
  dangling: Map<string, number>
  /** Where the files of rows belong. */
  pendingFiles: PendingFiles[]
}

/** The files that a row names in fields which only an upload fills: put there when the files have ids here. */
export interface PendingFiles {
  record: RecordType
  /** Of the row, here. */
  id: number | string
  line: number
  /** What the row says of these fields, and nothing else. */
  raw: RawObject
}

/** Rows that share a commit. */
export const MAX_ROWS_PER_COMMIT = 200
