import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { call, type Answer, type Request, type RouteName } from './client.ts'

/** Routes whose answers are pages: each names what to send as `before` for the next one. */
type PagedName = {
  [N in RouteName]: N extends `GET ${string}`
    ? Answer<N> extends { data: unknown[]; meta: { next_before: number | null } }
      ? N
      : never
    : never
}[RouteName]
type Row<N extends PagedName> = Answer<N> extends { data: (infer T)[] } ? T : never

export interface Pages<T> {
  rows: readonly T[] | undefined
  query: Pick<UseInfiniteQueryResult, 'isError' | 'error' | 'hasNextPage' | 'isFetchingNextPage'> & {
    fetchNextPage: () => Promise<unknown>
    refetch: () => Promise<unknown>
  }
}

/** Reads a route page by page, newest first. */
export function useReadPages<N extends PagedName>(name: N, request: Request<N>): Pages<Row<N>> {
  const query = useInfiniteQuery({
    queryKey: [name, request.params ?? null, request.query ?? null],
    queryFn: ({ pageParam, signal }) =>
      call(name, {
        ...request,
        query: { ...request.query, ...(pageParam === null ? {} : { before: pageParam }) } as never,
        signal,
      }) as Promise<unknown> as Promise<{ data: Row<N>[]; meta: { next_before: number | null } }>,
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.meta.next_before,
    placeholderData: keepPreviousData,
  })
  return { rows: query.data?.pages.flatMap((page) => page.data), query }
}
