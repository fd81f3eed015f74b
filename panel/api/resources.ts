import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Static, TSchema } from 'typebox'
import type {
  ASSORTMENT_RULES,
  ATTRIBUTES,
  CATEGORIES,
  CHANNELS,
  EXCLUSION_RULES,
  GROUPS,
  PRICING_RULES,
  SOURCE_ORDERS,
  STORES,
  TAX_CLASSES,
  VARIANT_GROUPS,
} from '../../contract/account-resources.ts'
import type { PRICE_LISTS } from '../../contract/price-list-resource.ts'
import type { RATES } from '../../contract/rate-resource.ts'
import type { SUPPLIERS } from '../../contract/supplier-resource.ts'
import type { NOTICE_CHANNELS, NoticeChannelTest } from '../../contract/notice-channels.ts'
import { exchange, type Exchanged } from './client.ts'

// The account resources at /v1/account. Their names and member types are those of contract/account-resources.ts.

interface Declared {
  stores: typeof STORES
  groups: typeof GROUPS
  rates: typeof RATES
  'tax-classes': typeof TAX_CLASSES
  'price-lists': typeof PRICE_LISTS
  categories: typeof CATEGORIES
  attributes: typeof ATTRIBUTES
  'variant-groups': typeof VARIANT_GROUPS
  suppliers: typeof SUPPLIERS
  'source-orders': typeof SOURCE_ORDERS
  'pricing-rules': typeof PRICING_RULES
  'exclusion-rules': typeof EXCLUSION_RULES
  'assortment-rules': typeof ASSORTMENT_RULES
  channels: typeof CHANNELS
  'notice-channels': typeof NOTICE_CHANNELS
}
/** The last part of a resource's path. */
export type ResourceName = keyof Declared

type Values<F> = { -readonly [K in keyof F]: F[K] extends TSchema ? Static<F[K]> : never }
/** The members of a body. */
export type FieldsOf<N extends ResourceName> = Values<Declared[N]['fields']>
/** A resource as it is read. */
export type Resource<N extends ResourceName> = N extends unknown
  ? FieldsOf<N> & Values<Declared[N]['given']> & StateOf<Declared[N]>
  : never
/** Members that change without an edit. */
type StateOf<D> = D extends { state: infer S } ? Values<S> : unknown
/** Members that a new one requires. */
export type RequiredOf<N extends ResourceName> = Declared[N]['required']
/** Members that never change. */
export type FixedOf<N extends ResourceName> = Declared[N]['fixed']
/** The name of the member that identifies a resource. */
export type KeyOf<N extends ResourceName> = Declared[N]['key']['name']

/** A resource with the revision that an edit of it must send. */
export interface Revised<T> {
  data: T
  revision: string
}

/**
 * The data of an answer with its revision.
 * @throws Error without an ETag: an edit could not detect that somebody else changed the data
 */
export function revised<T>({ body, revision }: Pick<Exchanged, 'body' | 'revision'>): Revised<T> {
  if (revision === null) throw new Error('an answer about what can be edited has no ETag')
  return { data: (body as { data: T }).data, revision }
}

const PAGE = 200
/** The first part of all cache keys here: after a write of a setting all are read again. */
const KEY = 'GET /v1/account'

const one = (name: ResourceName) => `/v1/account/${name}/{key}`

/** All of an account, in the order of their keys. */
export function useResources<N extends ResourceName>(
  accountId: number,
  name: N,
  { isEnabled = true }: { isEnabled?: boolean } = {},
): UseQueryResult<Resource<N>[]> {
  return useQuery({
    queryKey: [KEY, accountId, name],
    queryFn: ({ signal }) => readResources(accountId, name, signal),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

/** Reads all pages of a resource. */
export async function readResources<N extends ResourceName>(
  accountId: number,
  name: N,
  signal?: AbortSignal,
): Promise<Resource<N>[]> {
  const rows: Resource<N>[] = []
  let after: unknown = undefined
  do {
    const query = { per_page: PAGE, after }
    const request = { accountId, query, ...(signal === undefined ? {} : { signal }) }
    const { body } = await exchange(`GET /v1/account/${name}`, request)
    const page = body as { data: Resource<N>[]; meta: { next_after: unknown } }
    rows.push(...page.data)
    after = page.meta.next_after ?? undefined
  } while (after !== undefined)
  return rows
}

/**
 * The values with which a form begins. They are read anew for every form and never taken from the cache. `name`: cache
 * key.
 */
export function useFormStart<T>(
  accountId: number,
  name: readonly (string | number)[],
  read: () => Promise<T>,
  { isEnabled = true }: { isEnabled?: boolean } = {},
): UseQueryResult<T> {
  return useQuery({
    queryKey: [KEY, accountId, 'form', ...name],
    queryFn: read,
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 0,
    // the values of an open form must not change while they are edited
    refetchOnWindowFocus: false,
  })
}

/** A resource by its key, with its revision. */
export function useResource<N extends ResourceName>(
  accountId: number,
  name: N,
  key: string | number | null,
): UseQueryResult<Revised<Resource<N>>> {
  return useQuery({
    queryKey: [KEY, accountId, name, key],
    queryFn: ({ signal }) => readResource(accountId, name, key ?? '', signal),
    enabled: key !== null,
    // a form must begin with current values, even if the cached ones are only seconds old
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Reads a resource by its key. @throws Problem unknown-reference if it does not exist */
export async function readResource<N extends ResourceName>(
  accountId: number,
  name: N,
  key: string | number,
  signal?: AbortSignal,
): Promise<Revised<Resource<N>>> {
  return revised(
    await exchange(`GET ${one(name)}`, { accountId, params: { key }, ...(signal === undefined ? {} : { signal }) }),
  )
}

/** Creates a resource. @returns it as it was stored, with members that are shown only once */
export async function createResource<N extends ResourceName>(
  accountId: number,
  name: N,
  body: object,
  { isOneOfMany = false }: { isOneOfMany?: boolean } = {},
): Promise<Resource<N>> {
  const answer = await exchange(`POST /v1/account/${name}`, { accountId, body, isOneOfMany })
  return (answer.body as { data: Resource<N> }).data
}

/** Changes the given members. Without a revision, changes of other people are overwritten. */
export async function changeResource<N extends ResourceName>(
  accountId: number,
  name: N,
  key: string | number,
  body: object,
  revision?: string,
): Promise<Revised<Resource<N>>> {
  const sent = { accountId, params: { key }, body, ...(revision === undefined ? {} : { revision }) }
  return revised(await exchange(`PATCH ${one(name)}`, sent))
}

export async function deleteResource(accountId: number, name: ResourceName, key: string | number): Promise<void> {
  await exchange(`DELETE ${one(name)}`, { accountId, params: { key } })
}

/** Gives a channel file a new address, which is shown once. */
export async function rotateChannel(accountId: number, id: number): Promise<string> {
  const { body } = await exchange('POST /v1/account/channels/{id}/rotate', { accountId, params: { id } })
  return (body as { data: { url?: string } }).data.url ?? ''
}

/** Sends a test notice. @returns the receiver's answer */
export async function testNoticeChannel(accountId: number, id: number): Promise<Static<typeof NoticeChannelTest>> {
  const { body } = await exchange('POST /v1/account/notice-channels/{id}/test', { accountId, params: { id } })
  return (body as { data: Static<typeof NoticeChannelTest> }).data
}
