import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { call, type Answer, type Request, type RouteName } from './client.ts'
import { Problem } from './problem.ts'

// Reading routes, and reading them again. The cache key is the route's name with its parameters.

type ReadName = Extract<RouteName, `GET ${string}`>
const RETRIES = 2
const FRESH_MS = 5_000

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // a browser that believes to be offline would wait silently; a failed request shows the actual state
        networkMode: 'always',
        retry: (failures, error) => failures < RETRIES && error instanceof Problem && error.isPassing,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Query options for a route, for useQuery and for reading it before a page is shown. */
export function reading<N extends ReadName>(name: N, request: Request<N> = {}) {
  return queryOptions({
    queryKey: [name, request.params ?? null, request.query ?? null, request.accountId ?? null],
    queryFn: ({ signal }) => call(name, { ...request, signal }),
  })
}

/**
 * The answer of a route. With `everyMs` it is read again periodically while the page is visible, and whenever the page is opened.
 * The previous answer is shown until a new one arrives.
 */
export function useRead<N extends ReadName>(
  name: N,
  request: Request<N> = {},
  options: { everyMs?: number; isEnabled?: boolean } = {},
): UseQueryResult<Answer<N>> {
  return useQuery({
    ...reading(name, request),
    placeholderData: keepPreviousData,
    refetchInterval: options.everyMs ?? false,
    refetchOnMount: options.everyMs === undefined ? true : 'always',
    enabled: options.isEnabled ?? true,
  })
}

/** Reads the named routes again, wherever they are shown. */
export function useRefresh(): (...names: ReadName[]) => Promise<void> {
  const client = useQueryClient()
  return async (...names) => {
    await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
  }
}

/** Routes that read data of an account; the preview of a rule is a POST. */
const OF_THE_ACCOUNT =
  /^(?:GET (?:\/v1\/|\/panel\/api\/accounts)|POST \/panel\/api\/accounts\/\{account_id\}\/previews$)/

/**
 * Reads all data of the account again, wherever it is shown, because a setting can change prices, stores and products.
 */
export function useRefreshAccount(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [name] }) => typeof name === 'string' && OF_THE_ACCOUNT.test(name),
      }),
    [client],
  )
}
