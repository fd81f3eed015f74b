import { marksDelete } from '../catalog/marks/store.ts'
import { productsLock } from '../catalog/products/store.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../db/sql.ts'
import { faultPoint } from '../ground/fault-point.ts'
import { LIMITS } from '../ground/limits.ts'
import { compileResolver, RESOLVER_VERSION } from '../resolve/resolve.ts'
import { blocksAdd, changesWrite } from './counter/store.ts'
import { encodeFresh, judge, type Fresh, type Verdict } from './diff.ts'
import { readAccountInputs, readProductInputs } from './inputs/read.ts'
import { activeStores } from './inputs/store.ts'
import { contentUpsert, payloadsDelete, priceUpsert, shelvedBodies, shelvedTags } from './payloads/store.ts'

export interface ShelveOptions {
  /** Leave out products that another batch holds instead of waiting for it; their marks stay. */
  skipLocked?: boolean
  /** Take no more than so many of the products, the lowest ids first; with skipLocked, workers get different ones. */
  limit?: number
  /** Resolve for one store only. The products' marks stay, because other stores may need them. */
  storeId?: number | null
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
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions = {},
): Promise<Shelved> {
  if (productIds.length === 0) return { products: 0, lastId: 0, changes: 0 }
  const shelved = await inTransaction(
    db,
    async (tx) => {
      const result = await shelveIn(tx, accountId, productIds, options)
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
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions,
): Promise<Shelved> {
  // 1. lock: from here on no other batch resolves these products
  const locked = await productsLock(tx, accountId, productIds, options.skipLocked ?? false, options.limit)
  faultPoint('shelve:after-lock')
  if (locked.length === 0) return { products: 0, lastId: 0, changes: 0 }
  const onlyStore = options.storeId ?? null
  // 2. take the marks that are visible. Awaited by itself: the client sends a query when it is first awaited, and in one
  // Promise.all with the readers below, which await inside, this one would be sent after them
  if (onlyStore === null) await marksDelete(tx, accountId, locked)
  // 3. read the inputs in later statements, which see all that those marks stand for
  const [shared, products] = await Promise.all([
    readAccountInputs(tx, accountId),
    readProductInputs(tx, accountId, locked),
  ])
  const account = onlyStore === null ? shared : { ...shared, stores: shared.stores.filter((row) => row.storeId === onlyStore) }
  const storeIds = account.stores.map((store) => store.storeId)
  // sent before resolving, so that the server looks while we compute
  const storing = shelvedTags(tx, accountId, storeIds, locked).execute()
  // 4. resolve and compare
  const resolver = compileResolver(account)
  const fresh: Fresh[] = []
  for (const product of products) {
    for (const { store, payload } of resolver.resolve(product)) {
      fresh.push(encodeFresh(store.storeId, product.productId, payload))
    }
  }
  const stored = await storing
  const key = (row: { storeId: number; productId: number }) => `${row.storeId}.${row.productId}`
  const storedOf = new Map(stored.map((row) => [key(row), row]))
  const older = stored.filter((row) => row.resolver !== RESOLVER_VERSION).map((row) => row.productId)
  const bodies = older.length === 0 ? [] : await shelvedBodies(tx, accountId, storeIds, [...new Set(older)])
  const bodiesOf = new Map(bodies.map((row) => [key(row), row]))
  const verdicts = fresh
    .map((entry) => judge(entry, storedOf.get(key(entry)), bodiesOf.get(key(entry))))
    .filter((verdict) => verdict.writeContent || verdict.writePrice || verdict.change !== null)
    .sort((a, b) => a.fresh.storeId - b.fresh.storeId || a.fresh.productId - b.fresh.productId)
  if (verdicts.length > 0) await write(tx, accountId, verdicts)
  return { products: locked.length, lastId: locked.at(-1) ?? 0, changes: verdicts.filter((verdict) => verdict.change !== null).length }
}

/** Steps 5 and 6: payloads in key order, then the counter, and under it the changes and the block counts. */
async function write(tx: Tx, accountId: number, verdicts: readonly Verdict[]): Promise<void> {
  const contents = verdicts.flatMap(({ fresh, writeContent }) =>
    fresh.halves !== null && writeContent
      ? [{ storeId: fresh.storeId, productId: fresh.productId, tag: fresh.halves.contentTag, body: fresh.halves.content, sku: fresh.halves.sku }]
      : [],
  )
  const prices = verdicts.flatMap(({ fresh, writePrice }) =>
    fresh.halves !== null && writePrice
      ? [{ storeId: fresh.storeId, productId: fresh.productId, tag: fresh.halves.priceTag, body: fresh.halves.price }]
      : [],
  )
  const leaving = verdicts.filter((verdict) => verdict.delta === -1).map((verdict) => verdict.fresh)
  // sent together, in whatever order: the products are ours, and every lock that can wait comes before the counter
  const steps: Promise<unknown>[] = []
  for (const slice of slices(contents)) steps.push(contentUpsert(tx, accountId, RESOLVER_VERSION, slice))
  for (const slice of slices(prices)) steps.push(priceUpsert(tx, accountId, RESOLVER_VERSION, slice))
  if (leaving.length > 0) steps.push(payloadsDelete(tx, accountId, leaving))
  await Promise.all(steps)
  const changes = verdicts.flatMap(({ fresh, change }) =>
    change === null ? [] : [{ storeId: fresh.storeId, productId: fresh.productId, ...change }],
  )
  if (changes.length === 0) return
  const counts = blockCounts(verdicts)
  await Promise.all([
    changesWrite(tx, accountId, changes),
    ...(counts.length > 0 ? [blocksAdd(tx, accountId, counts)] : []),
  ])
}

/** Rows in parts of so many characters, so that no statement grows beyond what a string or a server can hold. */
function* slices<T extends { body: string }>(rows: readonly T[]): Generator<T[]> {
  let slice: T[] = []
  let characters = 0
  for (const row of rows) {
    if (slice.length > 0 && characters + row.body.length > LIMITS.shelveStatementCharacters) {
      yield slice
      slice = []
      characters = 0
    }
    slice.push(row)
    characters += row.body.length
  }
  if (slice.length > 0) yield slice
}

function blockCounts(verdicts: readonly Verdict[]): { storeId: number; block: number; delta: number }[] {
  const counts = new Map<string, { storeId: number; block: number; delta: number }>()
  for (const { fresh, delta } of verdicts) {
    if (delta === 0) continue
    const block = Math.floor(fresh.productId / LIMITS.idBlockSize)
    const key = `${fresh.storeId}.${block}`
    const count = counts.get(key) ?? { storeId: fresh.storeId, block, delta: 0 }
    count.delta += delta
    counts.set(key, count)
  }
  return [...counts.values()].filter((count) => count.delta !== 0)
}
