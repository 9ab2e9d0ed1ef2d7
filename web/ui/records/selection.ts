import { useRef, useState } from 'react'
import type { RecordType, Shown } from '../../../src/fields/index.ts'
import type { Query } from '../../client/index.ts'
import type { Selection } from '../table.tsx'
import { useRecords } from './context.tsx'
import type { Id } from './names.ts'

/** As many rows as one deed writes. */
export const mostSelected = 500

interface List<R extends RecordType> {
  record: R
  /** Other filters, another selection. */
  query: Query
  total: number | null
  rowAt: (index: number) => Shown<R> | undefined
}

/** Which rows of a list are selected, also those out of view. */
export function useSelection<R extends RecordType>({ record, query, total, rowAt }: List<R>) {
  const { client } = useRecords()
  const key = JSON.stringify(query)
  const [kept, setKept] = useState<{ key: string; rows: ReadonlyMap<Id, Shown<R>> }>({ key, rows: new Map() })
  const rows = kept.key === key ? kept.rows : new Map<Id, Shown<R>>()
  const last = useRef<number | null>(null)
  const set = (now: ReadonlyMap<Id, Shown<R>>) => setKept({ key, rows: new Map([...now].slice(0, mostSelected)) })
  const idOf = (row: Shown<R>) => (row as { id: Id }).id
  const selection: Selection<Shown<R>> = {
    isSelected: (row) => rows.has(idOf(row)),
    nameOf: (row) => nameOf(record, row),
    all: rows.size === 0 ? false : rows.size >= Math.min(total ?? 0, mostSelected) ? true : 'some',
    onSelect(index, range) {
      const row = rowAt(index)
      if (!row) return
      const isOn = !rows.has(idOf(row))
      const from = range && last.current !== null ? last.current : index
      const next = new Map(rows)
      for (let i = Math.min(from, index); i <= Math.max(from, index); i++) {
        const one = rowAt(i)
        if (one && isOn) next.set(idOf(one), one)
        else if (one) next.delete(idOf(one))
      }
      last.current = index
      set(next)
    },
    onSelectAll() {
      if (rows.size > 0) return set(new Map())
      void client.list(record, { ...query, per_page: mostSelected }).then((page) => {
        set(new Map(page.rows.map((row) => [idOf(row), row])))
      })
    },
  }
  return { rows: [...rows.values()], selection, clear: () => set(new Map()) }
}

/** What a row is called, in sentences. */
export const nameOf = <R extends RecordType>(record: R, row: Shown<R>): string => {
  const values = row as { [name: string]: unknown }
  return String(values[record.title] ?? values.id)
}
