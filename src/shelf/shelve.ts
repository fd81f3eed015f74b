import { marksDelete } from '../catalog/marks/store.ts'
import { productsLock } from '../catalog/products/store.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../db/sql.ts'
import { faultPoint } from '../ground/fault-point.ts'
import { LIMITS } from '../ground/limits.ts'
import type { CompiledAccounts } from './inputs/compiled.ts'
import { readPriceInputs, readProductInputs } from './inputs/read.ts'
import { activeStores } from './inputs/store.ts'
import { judgePriceHalves } from './price-halves.ts'
import { judgeWhole } from './whole.ts'
import { joinWritings, write } from './writing.ts'

export interface ShelveOptions {
  /** Leave out products that another batch holds instead of waiting for it; their marks stay. */
  skipLocked?: boolean
  /** Take no more than so many of the products, the lowest ids first; with skipLocked, workers get different ones. */
  limit?: number
  /** Resolve for one store only. The products' marks stay, because other stores may need them. */
  storeId?: number | null
  /** Only price halves can have moved. The products' marks stay, because they may be about the other half. */
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
  if (onlyStore === null && !onlyPrices) await marksDelete(tx, accountId, locked)
  // 3. read the inputs in later statements, which see all that those marks stand for
  const read = onlyPrices ? readPriceInputs : readProductInputs
  const [shared, products] = await Promise.all([accounts.get(tx, accountId), read(tx, accountId, locked)])
  const account = onlyStore === null ? shared : { ...shared, stores: shared.stores.filter(({ store }) => store.storeId === onlyStore) }
  // 4. resolve and compare
  let writing
  if (!onlyPrices) writing = await judgeWhole(tx, accountId, account, products)
  else if (!account.isPriceAlone) writing = await judgeWhole(tx, accountId, account, await readProductInputs(tx, accountId, locked))
  else {
    const prices = await judgePriceHalves(tx, accountId, account, products)
    // where more than the prices has moved, or may have, the whole is looked at
    const rest = prices.rest.length === 0 ? [] : await readProductInputs(tx, accountId, prices.rest)
    writing = joinWritings(prices.writing, await judgeWhole(tx, accountId, account, rest))
  }
  // 5 and 6
  await write(tx, accountId, writing)
  return { products: locked.length, lastId: locked.at(-1) ?? 0, changes: writing.changes.length }
}
