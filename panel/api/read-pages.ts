import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { call, type Answer, type Request, type RouteName } from './client.ts'

/** Routes whose answers are pages: each names what to send as `before`, or as `after`, for the next one. */
type PagedName = {
  [N in RouteName]: N extends `GET ${string}`
    ? Answer<N> extends { data: unknown[]; meta: { next_before: number | null } | { next_after: number | null } }
      ? N
      : never
    : never
}[RouteName]
type Row<N extends PagedName> = Answer<N> extends { data: (infer T)[] } ? T : never

interface Page<T> {
  data: T[]
  meta: { next_before?: number | null; next_after?: number | null; total?: number }
}

export interface Pages<T> {
  /** How many there are in all, where the route says so. */
  total: number | undefined
  rows: readonly T[] | undefined
  query: Pick<UseInfiniteQueryResult, 'isError' | 'error' | 'hasNextPage' | 'isFetchingNextPage'> & {
    fetchNextPage: () => Promise<unknown>
    refetch: () => Promise<unknown>
  }
}

/** Reads a route page by page: newest first, or in the order of its keys. */
export function useReadPages<N extends PagedName>(name: N, request: Request<N>): Pages<Row<N>> {
  const query = useInfiniteQuery({
    queryKey: [name, request.params ?? null, request.query ?? null],
    queryFn: ({ pageParam, signal }) =>
      call(name, {
        ...request,
        query: { ...request.query, ...pageParam } as never,
        signal,
      }) as Promise<unknown> as Promise<Page<Row<N>>>,
    initialPageParam: {},
    getNextPageParam: ({ meta }) => {
      if (typeof meta.next_before === 'number') return { before: meta.next_before }
      return typeof meta.next_after === 'number' ? { after: meta.next_after } : null
    },
    placeholderData: keepPreviousData,
  })
  return { rows: query.data?.pages.flatMap((page) => page.data), total: query.data?.pages[0]?.meta.total, query }
}
