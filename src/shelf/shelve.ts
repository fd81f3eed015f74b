import { marksDelete } from '../catalog/stale/marks.sql.ts'
import { productsLock } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../db/sql.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { CompiledAccounts } from './compiled-inputs.ts'
import { openProductImages } from './product-images.ts'
import { readPriceInputs, readProductInputs } from './read-inputs.ts'
import { activeStores } from './inputs.sql.ts'
import { diffPriceHalves } from './price-halves.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { diffWholeProducts } from './whole-products.ts'
import { openWritten } from './write-payloads.ts'

export interface ShelveOptions {
  /** Skip products that another batch has locked instead of waiting for it; their marks stay. */
  skipLocked?: boolean
  /** Take at most this many products, lowest ids first; with skipLocked, concurrent workers get different ones. */
  limit?: number
  /** Resolve for one store only. The products' marks stay, because other stores may need them. */
  storeId?: number | null
  /**
   * 'price': only price halves can have changed; the marks stay, because they may concern the content half.
   * null: both halves can have changed. Omitted: the products' marks decide.
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

/** The number of products per batch: fewer when there are many stores, because memory is used per payload. */
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
 * The steps of T2, numbered as in ARCHITECTURE.md, which has the reasons. Runs inside a READ COMMITTED transaction that has
 * not written anything yet and afterwards writes at most the progress of a sweep.
 */
export async function shelveIn(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions,
): Promise<Shelved> {
  // 1. lock the products: from here on no other batch resolves them
  const locked = await productsLock(tx, accountId, productIds, options.skipLocked ?? false, options.limit)
  faultPoint('shelve:after-lock')
  if (locked.length === 0) return { products: 0, lastId: 0, changes: 0 }
  const onlyStore = options.storeId ?? null
  const onlyPrices = options.half === 'price'
  // 2. delete the marks that are visible. Awaited separately: the client sends a query when it is first awaited, and in
  // one Promise.all with the reads below, which await internally, it would be sent after them
  const marks = onlyStore === null && !onlyPrices ? await marksDelete(tx, accountId, locked) : []
  // a sweep over whole products ignores what the marks say
  const isByMarks = options.half === undefined
  let parts = { priceIds: [] as number[], wholeIds: locked }
  if (onlyPrices) parts = { priceIds: locked, wholeIds: [] }
  else if (isByMarks) parts = partByHalf(locked, marks)
  const { priceIds, wholeIds } = parts
  // 3. read the inputs in later statements: these see every write that left one of those marks
  const none = Promise.resolve([])
  const first = wholeIds.slice(0, LIMITS.shelveSliceProducts)
  const [shared, priced, products] = await Promise.all([
    accounts.get(tx, accountId),
    priceIds.length === 0 ? none : readPriceInputs(tx, accountId, priceIds),
    first.length === 0 ? none : readProductInputs(tx, accountId, first),
  ])
  const account =
    onlyStore === null
      ? shared
      : { ...shared, stores: shared.stores.filter(({ store }) => store.storeId === onlyStore) }
  // 4. resolve and compare
  const halves =
    account.isPriceAlone && priced.length > 0 ? await diffPriceHalves(tx, accountId, account, priced) : null
  // products of which the content may have changed as well are resolved as a whole
  const more = halves === null ? priceIds : halves.rest
  const rest = [...wholeIds.slice(first.length), ...more]
  // 5. write payload halves and held prices, slice by slice: of long texts, a batch would take several times its memory
  const written = openWritten(tx, accountId)
  if (halves !== null) await written.add(halves.writes)
  const images = openProductImages(tx, accountId, account, [...wholeIds, ...more])
  let perProduct = await shelveSlice(products)
  for (let at = 0; at < rest.length;) {
    const count = Math.max(1, Math.min(rest.length - at, Math.floor(LIMITS.statementCharacters / perProduct)))
    perProduct = await shelveSlice(await readProductInputs(tx, accountId, rest.slice(at, at + count)))
    at += count
  }
  // 6. number the changes and write them
  const changes = await written.number()
  return { products: locked.length, lastId: locked.at(-1) ?? 0, changes }

  /** @returns the characters that a product of these takes. */
  async function shelveSlice(inputs: readonly ProductInputs[]): Promise<number> {
    const { writes, characters } = await diffWholeProducts(tx, accountId, account, await images.registered(inputs))
    await written.add(writes)
    return inputs.length === 0 ? 1 : Math.max(1, characters / inputs.length)
  }
}

/**
 * Separates the products of which only price halves can have changed: they have marks, and all of the marks say so. A
 * product without marks was requested directly, or another batch deleted its marks: it is resolved as a whole.
 */
function partByHalf(
  productIds: readonly number[],
  marks: readonly { productId: number; half: 'price' | null }[],
): { priceIds: number[]; wholeIds: number[] } {
  const priced = new Set(marks.filter(({ half }) => half === 'price').map(({ productId }) => productId))
  for (const { productId, half } of marks) if (half === null) priced.delete(productId)
  return { priceIds: productIds.filter((id) => priced.has(id)), wholeIds: productIds.filter((id) => !priced.has(id)) }
}
