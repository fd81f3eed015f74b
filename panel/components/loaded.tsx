import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { Waiting } from './waiting.tsx'

/** What a query gave; until then that it is on its way, or why it does not come. Old data stays while newer is fetched. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  query: UseQueryResult<T>
  lines?: number
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError ? <ProblemNote error={query.error} retry={() => void query.refetch()} /> : null}
        {children(query.data)}
      </>
    )
  if (query.isError) return <ProblemNote error={query.error} retry={() => void query.refetch()} />
  return <Waiting lines={lines} />
}
