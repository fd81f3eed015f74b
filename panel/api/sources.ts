import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Static, TSchema } from 'typebox'
import type { SOURCES, SourceTest } from '../../contract/supplier-sources.ts'
import { call, exchange } from './client.ts'
import { revised, type Revised } from './resources.ts'

// The sources of a supplier at /v1/account/suppliers/{code}/sources.

type Values<F> = { -readonly [K in keyof F]: F[K] extends TSchema ? Static<F[K]> : never }
/** A source as it is read. */
export type Source = Values<(typeof SOURCES)['fields']> &
  Values<(typeof SOURCES)['given']> &
  Values<(typeof SOURCES)['state']>
export type SourceKind = Source['kind']
export type CredentialsKind = NonNullable<Source['credentials']>['kind']
export type SourceTrial = Static<typeof SourceTest>

/** The mapping of a new source until its columns are mapped; the source is switched off until then. */
export const NOT_MAPPED = { fields: { sku: 'sku' } }

export const isMapped = ({ mapping }: { mapping: object }) => JSON.stringify(mapping) !== JSON.stringify(NOT_MAPPED)

const KEY = 'sources'
const LIST = '/v1/account/suppliers/{code}/sources'
const ONE = `${LIST}/{name}`
const PAGE = 200

/** The account and the supplier to which the sources belong. */
export interface SourcesOf {
  accountId: number
  code: string
}

/** All sources of a supplier, by name. */
export const sourcesQuery = ({ accountId, code }: SourcesOf) =>
  queryOptions({
    queryKey: [KEY, accountId, code],
    queryFn: async ({ signal }) => {
      const { body } = await exchange(`GET ${LIST}`, { accountId, params: { code }, query: { per_page: PAGE }, signal })
      return (body as { data: Source[] }).data
    },
  })

export function useSources(of: SourcesOf, { everyMs }: { everyMs?: number } = {}) {
  return useQuery({ ...sourcesQuery(of), refetchInterval: everyMs ?? false })
}

export function useSource({ accountId, code }: SourcesOf, name: string) {
  return useQuery({
    queryKey: [KEY, accountId, code, name],
    queryFn: ({ signal }) => readSource({ accountId, code }, name, signal),
    // a form must begin with current values
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
}

export async function readSource(
  { accountId, code }: SourcesOf,
  name: string,
  signal?: AbortSignal,
): Promise<Revised<Source>> {
  const request = { accountId, params: { code, name }, ...(signal === undefined ? {} : { signal }) }
  return revised(await exchange(`GET ${ONE}`, request))
}

export async function createSource({ accountId, code }: SourcesOf, body: object): Promise<Source> {
  const answer = await exchange(`POST ${LIST}`, { accountId, params: { code }, body })
  return (answer.body as { data: Source }).data
}

/** Changes the given members. Without a revision, changes of other people are overwritten. */
export async function changeSource(
  { accountId, code }: SourcesOf,
  name: string,
  body: object,
  revision?: string,
): Promise<Revised<Source>> {
  const sent = { accountId, params: { code, name }, body, ...(revision === undefined ? {} : { revision }) }
  return revised(await exchange(`PATCH ${ONE}`, sent))
}

export async function deleteSource({ accountId, code }: SourcesOf, name: string): Promise<void> {
  await exchange(`DELETE ${ONE}`, { accountId, params: { code, name } })
}

/** Tests a source by connecting as a run would. @returns the result */
export async function trySource({ accountId, code }: SourcesOf, name: string): Promise<SourceTrial> {
  const { data } = await call('POST /v1/account/suppliers/{code}/sources/{name}/test', {
    accountId,
    params: { code, name },
  })
  return data
}

/** Starts a run now. @returns its ID */
export async function runSource(
  { accountId, code }: SourcesOf,
  name: string,
  body: { dry_run?: boolean; confirm?: boolean } = {},
): Promise<number> {
  const { data } = await call('POST /v1/account/suppliers/{code}/sources/{name}/run', {
    accountId,
    params: { code, name },
    body,
  })
  return data.run_id
}

/** Reads sources and runs again, wherever they are shown. */
export function useRefreshSources(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({
      predicate: ({ queryKey: [name] }) =>
        name === KEY || (typeof name === 'string' && /^GET .*\/(?:imports|runs|overview|sources)\b/.test(name)),
    })
  }
}
