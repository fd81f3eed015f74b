import { marksDelete } from '../catalog/stale/marks.sql.ts'
import { productsLock } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../db/sql.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { CompiledAccounts } from './compiled-inputs.ts'
import { readPriceInputs, readProductInputs } from './read-inputs.ts'
import { activeStores } from './inputs.sql.ts'
import { judgePriceHalves } from './price-halves.ts'
import { judgeWhole } from './whole-products.ts'
import { joinWritings, write } from './write-payloads.ts'

export interface ShelveOptions {
  /** Leave out products that another batch holds instead of waiting for it; their marks stay. */
  skipLocked?: boolean
  /** Take no more than so many of the products, the lowest ids first; with skipLocked, workers get different ones. */
  limit?: number
  /** Resolve for one store only. The products' marks stay, because other stores may need them. */
  storeId?: number | null
  /**
   * price: only price halves can have moved; the products' marks stay, because they may be about the other half. null: anything.
   * Left out: what the products' marks say.
   */
  half?: 'price' | null
}

export interface Shelved {
  /** Products resolved, whether or not that changed anything. */
  products: number
  /** The highest product id resolved; 0 when there was none. */
  lastId: number
  /** Payloads that a client would now read differently. */
  changes: number
}

/** How many products make a batch: fewer where there are many stores, because it is payloads that take memory. */
export async function batchProducts(reader: Reader, accountId: number): Promise<number> {
  const stores = Math.max(1, await activeStores(reader, accountId))
  return Math.max(1, Math.min(LIMITS.shelveBatchProducts, Math.floor(LIMITS.shelveBatchPayloads / stores)))
}

/** T2: shelves one batch in a transaction of its own. Safe to repeat: an equal payload writes nothing. */
export async function shelveBatch(
  db: Db,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions = {},
): Promise<Shelved> {
  if (productIds.length === 0) return { products: 0, lastId: 0, changes: 0 }
  const shelved = await inTransaction(
    db,
    async (tx) => {
      const result = await shelveIn(tx, accounts, accountId, productIds, options)
      faultPoint('shelve:before-commit')
      return result
    },
    LIMITS.shelveRetriesMax,
  )
  faultPoint('shelve:after-commit')
  return shelved
}

/**
 * The numbered steps of a change, in their order; design and reasons in ARCHITECTURE.md, «How a change is made».
 * Runs inside a READ COMMITTED transaction that has written nothing before and writes nothing after but sweep progress.
 */
export async function shelveIn(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions,
): Promise<Shelved> {
  // 1. lock: from here on no other batch resolves these products
  const locked = await productsLock(tx, accountId, productIds, options.skipLocked ?? false, options.limit)
  faultPoint('shelve:after-lock')
  if (locked.length === 0) return { products: 0, lastId: 0, changes: 0 }
  const onlyStore = options.storeId ?? null
  const onlyPrices = options.half === 'price'
  // 2. take the marks that are visible. Awaited by itself: the client sends a query when it is first awaited, and in one
  // Promise.all with the readers below, which await inside, this one would be sent after them
  const marks = onlyStore === null && !onlyPrices ? await marksDelete(tx, accountId, locked) : []
  // a sweep of the whole is about the whole, whatever marks say
  const isByMarks = options.half === undefined
  const { prices, wholes } = onlyPrices
    ? { prices: locked, wholes: [] }
    : isByMarks
      ? partByHalf(locked, marks)
      : { prices: [], wholes: locked }
  // 3. read the inputs in later statements, which see all that those marks stand for
  const none = Promise.resolve([])
  const [shared, priced, products] = await Promise.all([
    accounts.get(tx, accountId),
    prices.length === 0 ? none : readPriceInputs(tx, accountId, prices),
    wholes.length === 0 ? none : readProductInputs(tx, accountId, wholes),
  ])
  const account =
    onlyStore === null
      ? shared
      : { ...shared, stores: shared.stores.filter(({ store }) => store.storeId === onlyStore) }
  // 4. resolve and compare
  const halves =
    account.isPriceAlone && priced.length > 0 ? await judgePriceHalves(tx, accountId, account, priced) : null
  // where more than the prices has moved, or may have, the whole is looked at
  const more = halves === null ? prices : halves.rest
  const rest = more.length === 0 ? [] : await readProductInputs(tx, accountId, more)
  const whole = await judgeWhole(tx, accountId, account, rest.length === 0 ? products : [...products, ...rest])
  const writing = halves === null ? whole : joinWritings(halves.writing, whole)
  // 5 and 6
  await write(tx, accountId, writing)
  return { products: locked.length, lastId: locked.at(-1) ?? 0, changes: writing.changes.length }
}

/**
 * Products of which only price halves can have moved: they have marks, and all of them say so. A product without marks was
 * asked for, or its marks were taken by somebody else: that is looked at as a whole.
 */
function partByHalf(
  productIds: readonly number[],
  marks: readonly { productId: number; half: 'price' | null }[],
): { prices: number[]; wholes: number[] } {
  const priced = new Set(marks.filter(({ half }) => half === 'price').map(({ productId }) => productId))
  for (const { productId, half } of marks) if (half === null) priced.delete(productId)
  return { prices: productIds.filter((id) => priced.has(id)), wholes: productIds.filter((id) => !priced.has(id)) }
}
