import { createContext, useContext } from 'react'
import type { RecordType } from '../../../src/fields/record.ts'
import type { Client } from '../../client/index.ts'
import type { Formats } from '../formats.ts'

/** What lists and forms of records need to know of who looks at them. */
export interface Records {
  client: Client
  formats: Formats
  locale: string
  /** IANA name of the account's time zone. */
  zone: string
  mayChange(record: RecordType): boolean
  /** Whether they may take rows of a file. */
  mayImport: boolean
}

export const RecordsContext = createContext<Records | null>(null)

export function useRecords(): Records {
  const records = useContext(RecordsContext)
  if (!records) throw new Error('there is no RecordsContext around this')
  return records
}
