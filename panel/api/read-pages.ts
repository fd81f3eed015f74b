import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, type Answer, type Request, type RouteName } from './client.ts'

// Reading page by page, newest first or in the order of keys. Each page has the cursor of the next one.

/** The ID or key at which the next page begins. */
export type NextPage<K = number | string> = { before?: K; after?: K }

const FIRST: NextPage = {}

/** A page as a route answers it. */
type AnyPage = { meta: object }

/** Routes whose answers are pages of rows. */
type PagedName = {
  [N in RouteName]: N extends `GET ${string}` ? (Answer<N> extends AnyPage & { data: unknown[] } ? N : never) : never
}[RouteName]
type Row<N extends PagedName> = Answer<N> extends { data: (infer T)[] } ? T : never

/** Milliseconds until the pages are read again; false: they are not read again. */
type Every<P> = (pages: readonly P[]) => number | false

type PagesQuery = Pick<
  UseInfiniteQueryResult,
  'isError' | 'error' | 'isPending' | 'isPlaceholderData' | 'hasNextPage' | 'isFetchingNextPage'
> & {
  fetchNextPage: () => Promise<unknown>
  refetch: () => Promise<unknown>
}

/** The pages that were read so far. */
export interface ReadPages<P> {
  pages: readonly P[] | undefined
  query: PagesQuery
}

/** The rows that were read so far. */
export interface Pages<T> {
  rows: readonly T[] | undefined
  /** The total number of rows, if the route returns it. */
  total?: number | undefined
  query: PagesQuery
}

function nextOf({ meta }: AnyPage): NextPage | null {
  const { next_before: before, next_after: after } = meta as Record<string, number | string | null | undefined>
  if (before !== null && before !== undefined) return { before }
  return after === null || after === undefined ? null : { after }
}

/** Reads pages one after the other. `isKept`: pages of the previous key are shown until those of a new key arrive. */
export function usePages<P extends AnyPage, K extends number | string = number>({
  key,
  read,
  every,
  isKept = false,
  isEnabled = true,
}: {
  key: readonly unknown[]
  read: (next: NextPage<K>, signal: AbortSignal) => Promise<P>
  every?: Every<P> | undefined
  isKept?: boolean
  isEnabled?: boolean
}): ReadPages<P> {
  const query = useInfiniteQuery({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => read(pageParam as NextPage<K>, signal),
    initialPageParam: FIRST,
    getNextPageParam: nextOf,
    ...(isKept ? { placeholderData: keepPreviousData } : {}),
    enabled: isEnabled,
    refetchInterval: every === undefined ? false : ({ state }) => every(state.data?.pages ?? []),
  })
  return { pages: query.data?.pages, query }
}

/** Reads a route page by page. The previous rows are shown until new ones arrive. */
export function useReadPages<N extends PagedName>(
  name: N,
  request: Request<N>,
  { every, isEnabled }: { every?: Every<Answer<N>>; isEnabled?: boolean } = {},
): Pages<Row<N>> & ReadPages<Answer<N>> {
  const { pages, query } = usePages<Answer<N> & AnyPage, number | string>({
    key: [name, request.params ?? null, request.query ?? null, request.accountId ?? null],
    read: (next, signal) => readPage(name, request, next, signal),
    every,
    isKept: true,
    ...(isEnabled === undefined ? {} : { isEnabled }),
  })
  const rows = useMemo(() => pages?.flatMap(({ data }) => data as Row<N>[]), [pages])
  const total = (pages?.[0]?.meta as { total?: unknown } | undefined)?.total
  return { pages, rows, total: typeof total === 'number' ? total : undefined, query }
}

/** One page; the first one if `next` is empty. */
export function readPage<N extends PagedName>(
  name: N,
  request: Request<N>,
  next: NextPage,
  signal: AbortSignal,
): Promise<Answer<N>> {
  return call(name, { ...request, query: { ...request.query, ...next } as never, signal })
}
