import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ListSearch } from '../ui/records/record-list.tsx'

/** What of a list stands in the address, and how it changes. Undefined takes a parameter away. */
export function useListSearch(): readonly [ListSearch, (change: ListSearch) => void] {
  const search = useSearch({ strict: false }) as ListSearch
  const navigate = useNavigate()
  const onSearch = useCallback(
    (change: ListSearch) => void navigate({ to: '.', search: (now: object) => ({ ...now, ...change }), replace: true }),
    [navigate],
  )
  return [search, onSearch]
}
