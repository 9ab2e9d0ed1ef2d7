import { useMemo, useSyncExternalStore } from 'react'
import { useDesk } from './desk.ts'

/** Any change of any job; what is counted from it is remembered until the next. */
export function useAllJobs<T>(count: () => T, ...also: unknown[]): T {
  const { jobs } = useDesk().board
  const version = useSyncExternalStore(
    (listener) => jobs.onAny(listener),
    () => jobs.version,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for all that is counted
  return useMemo(count, [version, ...also])
}

/** All rows of what is kept whole. */
export function useEvery<T extends { id: number }>(rows: {
  onKey(name: 'all', key: string, listener: () => void): () => void
  where(name: 'all', key: string): readonly T[]
}) {
  return useSyncExternalStore(
    (listener) => rows.onKey('all', 'all', listener),
    () => rows.where('all', 'all'),
  )
}

export const useConnection = () => {
  const { live } = useDesk().board
  return useSyncExternalStore(
    (listener) => live.onChange(listener),
    () => live.connection.name,
  )
}
