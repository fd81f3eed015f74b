import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call, type Answer, type Request, type RouteName } from './client.ts'

/** Routes whose answers are pages, each of which names what to send as `after` for the next one. */
type PagedName = {
  [N in RouteName]: N extends `GET ${string}`
    ? Answer<N> extends { data: unknown[]; meta: { next_after: string | null } }
      ? N
      : never
    : never
}[RouteName]

/** Reads a route page by page in the order that the request asks for. What was shown stays until other rows have come. */
export function useReadAfter<N extends PagedName>(name: N, request: Request<N>) {
  return useInfiniteQuery({
    queryKey: [name, request.params ?? null, request.query ?? null],
    queryFn: ({ pageParam, signal }) => readAfter(name, request, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as { meta: { next_after: string | null } }).meta.next_after,
    placeholderData: keepPreviousData,
  })
}

/** One page. */
export function readAfter<N extends PagedName>(
  name: N,
  request: Request<N>,
  after: string | null,
  signal?: AbortSignal,
): Promise<Answer<N>> {
  return call(name, {
    ...request,
    query: { ...request.query, ...(after === null ? {} : { after }) } as never,
    ...(signal === undefined ? {} : { signal }),
  })
}
