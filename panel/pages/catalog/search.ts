import { idIn, textIn } from '../../api/address.ts'
import type { Request } from '../../api/client.ts'

// The address of the list contains its whole state: search, filters, order, columns.

export interface CatalogSearch {
  search?: string | undefined
  category?: string | undefined
  manufacturer?: string | undefined
  supplier?: number | undefined
  store?: string | undefined
  excluded?: 'yes' | 'no' | undefined
  reason?: string | undefined
  /** A gap in the store: one of GAPS. */
  incomplete?: Gap | undefined
  stock?: 'in' | 'out' | undefined
  /** Changed within a time span: a name of SINCE. */
  changed?: string | undefined
  /** A change since then in the store: of the price, or of being listed. */
  moved?: Move | undefined
  sort?: ProductSort | undefined
  /** The products of a group are shown as one line. */
  together?: 'yes' | undefined
  /** Names of columns, separated by commas. */
  columns?: string | undefined
}

/** The address without filters; search text and order are kept. */
export const NO_FILTERS: Partial<CatalogSearch> = {
  store: undefined,
  category: undefined,
  manufacturer: undefined,
  supplier: undefined,
  excluded: undefined,
  reason: undefined,
  incomplete: undefined,
  stock: undefined,
  changed: undefined,
  moved: undefined,
}

export type Gap = NonNullable<
  NonNullable<Request<'GET /panel/api/accounts/{account_id}/products/count'>['query']>['incomplete']
>
type Move = NonNullable<NonNullable<Request<'GET /panel/api/accounts/{account_id}/products/count'>['query']>['moved']>
export const MOVES: readonly Move[] = ['up', 'down', 'appeared', 'gone']
export const GAPS: readonly Gap[] = ['no_title', 'no_image', 'no_category', 'no_price', 'price_zero']

type ProductSort = 'sku' | '-sku' | 'title' | '-title' | 'id' | '-id' | '-changed'
const SORTS: readonly ProductSort[] = ['sku', '-sku', 'title', '-title', 'id', '-id', '-changed']

/** Hours of each time span. */
export const SINCE: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168, month: 720 }
const HOUR_MS = 3_600_000

const text = (value: unknown) => textIn(typeof value === 'string' ? value.trim() : value)

const among = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((name) => name === value)

/** The parameters of the address. Invalid ones are left out. */
export function catalogSearch(search: Record<string, unknown>): CatalogSearch {
  return {
    search: text(search['search']),
    category: text(search['category']),
    manufacturer: text(search['manufacturer']),
    supplier: idIn(search['supplier']),
    store: text(search['store']),
    excluded: among(search['excluded'], ['yes', 'no']),
    reason: text(search['reason']),
    incomplete: among(search['incomplete'], GAPS),
    stock: among(search['stock'], ['in', 'out']),
    changed: among(search['changed'], Object.keys(SINCE)),
    // only together with a store
    moved: text(search['store']) === undefined ? undefined : among(search['moved'], MOVES),
    sort: among(search['sort'], SORTS),
    together: among(search['together'], ['yes']),
    columns: text(search['columns']),
  }
}

type Selection = NonNullable<Request<'POST /panel/api/accounts/{account_id}/products/bulk'>['body']>['selection']
/** Filters as part of a selection. */
export type ProductFilter = NonNullable<Selection['filter']>
type Query = NonNullable<Request<'GET /panel/api/accounts/{account_id}/products/count'>['query']>

/**
 * The filters in the form of the service.
 * @param now rounded to the minute, so that the query stays the same for a while
 */
export function filterOf(search: CatalogSearch, now: number): ProductFilter {
  const { sort: _sort, columns: _columns, together: _together, changed, ...filters } = catalogSearch({ ...search })
  const hours = changed === undefined ? undefined : SINCE[changed]
  const since = hours === undefined ? {} : { changed_since: new Date(now - hours * HOUR_MS).toISOString() }
  const given = Object.entries({ ...filters, ...since }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

/** The same as query parameters, which are texts. */
export const filterQuery = (filter: ProductFilter) => filter as Query
