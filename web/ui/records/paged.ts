import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { RecordType, Shown } from '../../../src/fields/index.ts'
import type { Page, Query } from '../../client/index.ts'
import { useRecords } from './context.tsx'

const perPage = 100

/** The rows of a list that are looked at, and how many there are: a page of the API at a time, however long the list is. */
export function usePaged<R extends RecordType>(record: R, query: Query, [first, last]: readonly [number, number]) {
  const { client } = useRecords()
  const [from, to] = [Math.floor(first / perPage) + 1, Math.floor(last / perPage) + 1]
  // The first is always among them: it says how many there are.
  const pages = [...new Set([1, ...Array.from({ length: to - from + 1 }, (_, i) => from + i)])]
  const answers = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['list', record.name, query, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.list(record, { ...query, page, per_page: perPage }, { signal }),
    })),
  })
  // What was seen stays until what was asked for instead is here.
  const seen = useRef(new Map<number, Page<Shown<R>>>())
  const known = new Map(pages.map((page, i) => [page, answers[i]?.data ?? seen.current.get(page)] as const))
  const complete = answers.every(({ data }) => data)
  useEffect(() => {
    if (complete) seen.current = new Map([...known].flatMap(([page, data]) => (data ? [[page, data]] : [])))
  })
  return {
    total: known.get(1)?.totalEntries ?? null,
    error: answers.find(({ error }) => error)?.error ?? null,
    rows: [...known.values()].flatMap((data) => data?.rows ?? []),
    rowAt: (index: number): Shown<R> | undefined => {
      const page = Math.floor(index / perPage) + 1
      return known.get(page)?.rows[index - (page - 1) * perPage]
    },
  }
}
