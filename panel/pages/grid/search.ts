import { idIn, textIn } from '../../api/address.ts'
import type { Request } from '../../api/client.ts'

// The address of the grid contains what it shows: chosen products or a filter in the form of the service, order and
// columns.

type FilterQuery = NonNullable<Request<'GET /panel/api/accounts/{account_id}/products'>['query']>

export interface GridSearch {
  /** IDs of chosen products: "12,14-20". */
  ids?: string | undefined
  /** IDs that are left out of the filter, in the same form. */
  except?: string | undefined
  search?: string | undefined
  category?: string | undefined
  manufacturer?: string | undefined
  supplier?: number | undefined
  store?: string | undefined
  excluded?: FilterQuery['excluded']
  reason?: string | undefined
  incomplete?: FilterQuery['incomplete']
  stock?: FilterQuery['stock']
  /** A timestamp. */
  changed_since?: string | undefined
  moved?: FilterQuery['moved']
  sort?: FilterQuery['sort']
  /** Names of columns, separated by commas. */
  columns?: string | undefined
}

const TEXTS = [
  'ids',
  'except',
  'search',
  'category',
  'manufacturer',
  'store',
  'excluded',
  'reason',
  'incomplete',
  'stock',
  'changed_since',
  'moved',
  'sort',
  'columns',
] as const

const text = (value: unknown) => textIn(typeof value === 'string' ? value.trim() : value)

/** The parameters of the address. The service reports faults of a filter. */
export function gridSearch(search: Record<string, unknown>): GridSearch {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, text(search[name])])) as GridSearch
  return { ...texts, supplier: idIn(search['supplier']) }
}

/** The products of the grid. */
export type Wanted =
  | { kind: 'ids'; ids: readonly number[] }
  | { kind: 'filter'; query: FilterQuery; except: Set<number> }

export function wantedOf({ ids, except, columns: _columns, ...filter }: GridSearch): Wanted {
  if (ids !== undefined) return { kind: 'ids', ids: readIds(ids) }
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return {
    kind: 'filter',
    query: Object.fromEntries(given),
    except: new Set(except === undefined ? [] : readIds(except)),
  }
}

/** The filter alone, without order and page. */
export const filterOf = ({ sort: _sort, after: _after, per_page: _perPage, ...filter }: FilterQuery) => filter

/** Parses IDs in an address: "12,14-20". */
export function readIds(text: string): number[] {
  const ids = new Set<number>()
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split('-').map(Number)
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || first < 1) continue
    for (let id = first; id <= last && ids.size < IDS_MAX; id++) ids.add(id)
  }
  return [...ids]
}

const IDS_MAX = 10_000
