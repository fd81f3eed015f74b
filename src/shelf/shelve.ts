import { marksDelete } from '../catalog/marks/store.ts'
import { productsLock } from '../catalog/products/store.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { faultPoint } from '../ground/fault-point.ts'
import { LIMITS } from '../ground/limits.ts'
import { compileResolver, RESOLVER_VERSION } from '../resolve/resolve.ts'
import { blocksAdd, changesWrite } from './counter/store.ts'
import { encodeFresh, judge, type Fresh, type Verdict } from './diff.ts'
import { readAccountInputs, readProductInputs } from './inputs/read.ts'
import { contentUpsert, payloadsDelete, priceUpsert, shelvedBodies, shelvedTags } from './payloads/store.ts'

export interface ShelveOptions {
  /** Leave out products that another batch holds instead of waiting for it; their marks stay. */
  skipLocked?: boolean
  /** Resolve for one store only. The products' marks stay, because other stores may need them. */
  storeId?: number | null
}

export interface Shelved {
  /** Products resolved, whether or not that changed anything. */
  products: number
  /** Payloads that a client would now read differently. */
  changes: number
}

/** T2: shelves one batch in a transaction of its own. Safe to repeat: an equal payload writes nothing. */
export async function shelveBatch(
  db: Db,
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions = {},
): Promise<Shelved> {
  if (productIds.length === 0) return { products: 0, changes: 0 }
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
  const locked = await productsLock(tx, accountId, productIds, options.skipLocked ?? false)
  faultPoint('shelve:after-lock')
  if (locked.length === 0) return { products: 0, changes: 0 }
  const onlyStore = options.storeId ?? null
  // 2. take the marks that are visible; 3. read the inputs in later statements, which see all that those marks stand for
  const [, account, products, stored] = await Promise.all([
    onlyStore === null ? marksDelete(tx, accountId, locked) : undefined,
    readAccountInputs(tx, accountId),
    readProductInputs(tx, accountId, locked),
    shelvedTags(tx, accountId, locked),
  ])
  // 4. resolve and compare
  const resolver = compileResolver(
    onlyStore === null ? account : { ...account, stores: account.stores.filter((row) => row.storeId === onlyStore) },
  )
  const fresh: Fresh[] = []
  for (const product of products) {
    for (const { store, payload } of resolver.resolve(product)) {
      fresh.push(encodeFresh(store.storeId, product.productId, payload))
    }
  }
  const key = (row: { storeId: number; productId: number }) => `${row.storeId}.${row.productId}`
  const storedOf = new Map(stored.map((row) => [key(row), row]))
  const older = stored.filter((row) => row.resolver !== RESOLVER_VERSION).map((row) => row.productId)
  const bodies = older.length === 0 ? [] : await shelvedBodies(tx, accountId, [...new Set(older)])
  const bodiesOf = new Map(bodies.map((row) => [key(row), row]))
  const verdicts = fresh
    .map((entry) => judge(entry, storedOf.get(key(entry)), bodiesOf.get(key(entry))))
    .filter((verdict) => verdict.writeContent || verdict.writePrice || verdict.change !== null)
    .sort((a, b) => a.fresh.storeId - b.fresh.storeId || a.fresh.productId - b.fresh.productId)
  if (verdicts.length > 0) await write(tx, accountId, verdicts)
  return { products: locked.length, changes: verdicts.filter((verdict) => verdict.change !== null).length }
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
  // sent together, run by the server in this order: every lock that can wait comes before the counter
  const steps: Promise<unknown>[] = []
  if (contents.length > 0) steps.push(contentUpsert(tx, accountId, RESOLVER_VERSION, contents))
  if (prices.length > 0) steps.push(priceUpsert(tx, accountId, RESOLVER_VERSION, prices))
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
