import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
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
  if (query.isError) {
    // what is not there, or not allowed, is so the next time, too
    const retry = asProblem(query.error).isPassing ? () => void query.refetch() : undefined
    return <ProblemNote error={query.error} retry={retry} />
  }
  return <Waiting lines={lines} />
}
