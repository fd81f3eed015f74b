import type { ProductFilterBody } from '../../../contract/panel/catalog.ts'
import type { ProductCursor, ProductOrder } from '../../overview/product-list.ts'
import type { Move } from '../../overview/price-moves.sql.ts'
import type { ProductFilter } from '../../overview/product-wanted.ts'
import type { StoreRow } from '../../catalog/settings/stores/stores.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { ServeContext } from '../context.ts'
import { now } from '../../platform/time/clock.ts'

/** The filter of a request, from its query or body. */
interface Given extends Omit<ProductFilterBody, 'changed_since'> {
  changed_since?: Date | 'now' | undefined
}

/** The filter of a request, and the account's active stores, the requested one first. @throws ShelfwireError unknown-store */
export async function productFilterOf(
  { stores }: ServeContext,
  accountId: number,
  given: { [K in keyof Given]?: Given[K] | undefined },
): Promise<{ filter: ProductFilter; storeIds: number[]; shown: StoreRow[] }> {
  const text = (value: string | undefined) => (value === undefined || value.trim() === '' ? null : value)
  const slug = text(given.store)
  const store = slug === null ? null : await stores.find(accountId, slug)
  const active = await stores.active(accountId)
  const asked = given.changed_since ?? null
  const since = asked === 'now' ? now() : asked
  const moved = given.moved === undefined ? null : movedIn(given.moved, store, since)
  return {
    filter: {
      text: given.search ?? '',
      category: text(given.category),
      manufacturer: text(given.manufacturer),
      supplierId: given.supplier ?? null,
      // a product that is gone from the store is not listed there, so the store cannot be a filter
      storeId: moved?.what === 'gone' ? null : (store?.storeId ?? null),
      isExcluded: given.excluded === undefined ? null : given.excluded === 'yes',
      reason: text(given.reason),
      gap: given.incomplete ?? null,
      isInStock: given.stock === undefined ? null : given.stock === 'in',
      changedSince: moved?.since ?? since,
      moved,
    },
    storeIds: active.map(({ storeId }) => storeId),
    shown: store === null ? [...active] : [store, ...active.filter(({ storeId }) => storeId !== store.storeId)],
  }
}

const DAY_MS = 86_400_000

/** @throws ShelfwireError invalid-parameters without a store */
function movedIn(what: Move, store: StoreRow | null, since: Date | null): ProductFilter['moved'] {
  if (store !== null) return { what, storeId: store.storeId, since: since ?? new Date(now().getTime() - DAY_MS) }
  const reason = 'needs store: prices move in each store by itself'
  throw new ShelfwireError('invalid-parameters', `moved ${reason}`, { faults: [{ name: 'moved', reason }] })
}

const SORTS: Readonly<Record<string, ProductOrder['sort']>> = {
  sku: 'sku',
  title: 'title',
  id: 'id',
  changed: 'changed',
}

/** `-sku` as an order; undefined sorts exact matches first. */
export function orderOf(sort: string | undefined): ProductOrder {
  if (sort === undefined) return { sort: 'found', isDescending: false }
  const isDescending = sort.startsWith('-')
  return { sort: SORTS[isDescending ? sort.slice(1) : sort] ?? 'found', isDescending }
}

/** A cursor as text: `next_after`, which clients send back unchanged. */
export function writeCursor(cursor: ProductCursor | null): string | null {
  return cursor === null ? null : Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** @throws ShelfwireError invalid-parameters for a text that is not a cursor. */
export function readCursor(text: string | undefined): ProductCursor | null {
  if (text === undefined || text === '') return null
  try {
    const { key, id, number, by, isInside } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<
      string,
      unknown
    >
    const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
    if (typeof key === 'string' && !key.includes('\0') && isNumber(id))
      return {
        key: key.toWellFormed(),
        id,
        ...(isNumber(number) ? { number } : {}),
        ...(isInside === true ? { isInside } : {}),
        ...(by === 'id' || by === 'title' || by === 'sku' ? { by } : {}),
      }
  } catch {
    // refused below
  }
  const reason = 'must be meta.next_after of the page before'
  throw new ShelfwireError('invalid-parameters', `after ${reason}`, { faults: [{ name: 'after', reason }] })
}
