import { inTransaction, type Db, type Reader, type Tx } from '../db/sql.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { ChangeNumbers } from './payloads/change-counter.sql.ts'
import type { CompiledAccounts } from './inputs/compiled-inputs.ts'
import { registerGroups } from './inputs/product-groups.ts'
import { openProductImages } from './inputs/product-images.ts'
import { openProductSlugs } from './inputs/product-slugs.ts'
import { JoinsOthers, readBatch, readWritten, TooHeavy, type Batch, type ShelveOptions } from './read-batch.ts'
import { activeStores } from './inputs/inputs.sql.ts'
import { diffContentHalves } from './payloads/content-halves.ts'
import { diffPriceHalves } from './payloads/price-halves.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { readContentInputs, readProductInputs } from './inputs/read-inputs.ts'
import { nextSlice, partsOf } from './slices.ts'
import { diffWholeProducts, type storedWholeProducts } from './payloads/whole-products.ts'
import { openWritten } from './payloads/write-payloads.ts'

/** Counts of what a call has shelved. */
export interface ShelvedCounts {
  /** Products resolved, whether or not that changed anything. */
  products: number
  /** The highest product id resolved; 0 when there was none. */
  lastId: number
  /** Changes logged: payloads that clients now read differently. */
  changes: number
}

export interface Shelved extends ShelvedCounts {
  /** The numbers of these changes, once the transaction has committed; null: no changes. */
  numbers: Promise<ChangeNumbers | null> | null
  /** By product whose variant group changed: other products whose group changed with it, which were marked. */
  marked: ReadonlyMap<number, readonly number[]>
}

export const NOTHING: Shelved = { products: 0, lastId: 0, changes: 0, numbers: null, marked: new Map() }

/** The batch size in products: smaller with many stores, because memory is used per payload. */
export async function batchProducts(reader: Reader, accountId: number): Promise<number> {
  return productsWithin(LIMITS.shelveBatchProducts, await activeStores(reader, accountId))
}

/** How many products fit into a batch: at most `most`, and fewer if they have too many payloads in so many stores. */
export const productsWithin = (most: number, stores: number) =>
  Math.max(1, Math.min(most, Math.floor(LIMITS.shelveBatchPayloads / Math.max(1, stores))))

/**
 * T2: shelves one batch in a transaction of its own. Safe to repeat: an equal payload writes nothing. If the products are too heavy for one
 * transaction, the first ones are shelved; the others are returned as `left` and keep their marks. Products outside the batch whose variant
 * group changes are shelved in the same transaction if they fit into the batch. docs/decisions/002-shelving-is-a-second-transaction.md says why.
 */
export async function shelveBatch(
  db: Db,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions = {},
): Promise<Shelved & { left: readonly number[] }> {
  if (productIds.length === 0) return { ...NOTHING, left: [] }
  try {
    const shelving = { withOthers: true, ...options }
    return { ...(await inBatch(db, (tx) => shelveIn(tx, accounts, accountId, productIds, shelving))), left: [] }
  } catch (error) {
    if (error instanceof JoinsOthers) return shelveJoining(db, accounts, accountId, productIds, options, error)
    if (!(error instanceof TooHeavy)) throw error
    const taken = new Set(error.productIds)
    const shelved = await shelveBatch(db, accounts, accountId, error.productIds, options)
    return { ...shelved, left: [...shelved.left, ...productIds.filter((id) => !taken.has(id))] }
  }
}

async function shelveJoining(
  db: Db,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  { skipLocked = false, ...options }: ShelveOptions,
  { locked, others }: JoinsOthers,
): Promise<Shelved & { left: readonly number[] }> {
  const all = [...locked, ...others].sort((a, b) => a - b)
  try {
    const shelved = await inBatch(db, (tx) => shelveIn(tx, accounts, accountId, all, { skipLocked, half: null }))
    // a walk through marks continues after its own products, not after those that were added
    return { ...shelved, lastId: Math.min(shelved.lastId, locked.at(-1) ?? 0), left: [] }
  } catch (error) {
    if (!(error instanceof TooHeavy)) throw error
    return shelveBatch(db, accounts, accountId, productIds, { ...options, skipLocked, withOthers: false })
  }
}

/**
 * The same for products that were just written, few enough for one slice. @param half see readWritten.
 * @returns as `skipped` the products not shelved: locked ones among several, and those that did not fit into the transaction.
 */
export async function shelveWritten(
  db: Db,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  half: 'price' | null,
): Promise<Shelved & { skipped: readonly number[] }> {
  let skipped: readonly number[] = []
  try {
    const shelved = await inBatch(db, async (tx) => {
      const batch = await readWritten(tx, accounts, accountId, productIds, half)
      const locked = new Set(batch?.locked)
      skipped = productIds.length === 1 ? [] : productIds.filter((id) => !locked.has(id))
      return shelveRead(tx, accounts, accountId, batch, true)
    })
    return { ...shelved, skipped }
  } catch (error) {
    if (error instanceof JoinsOthers) {
      // the caller shelves them one by one, so that products that join no group do not wait for others
      if (productIds.length > 1) return { ...NOTHING, skipped: productIds }
      const { left: _, ...joining } = await shelveJoining(db, accounts, accountId, productIds, {}, error)
      return { ...joining, skipped: [] }
    }
    if (!(error instanceof TooHeavy)) throw error
    const taken = new Set(error.productIds)
    const shelved = await shelveWritten(db, accounts, accountId, error.productIds, half)
    return { ...shelved, skipped: [...shelved.skipped, ...productIds.filter((id) => !taken.has(id))] }
  }
}

async function inBatch(db: Db, shelve: (tx: Tx) => Promise<Shelved>): Promise<Shelved> {
  const shelved = await inTransaction(
    db,
    async (tx) => {
      const result = await shelve(tx)
      faultPoint('shelve:before-commit')
      return result
    },
    LIMITS.shelveRetriesMax,
  )
  faultPoint('shelve:after-commit')
  return shelved
}

/**
 * Steps of T2, numbered as in ARCHITECTURE.md, which has the reasons. Runs in a READ COMMITTED transaction that has not written anything yet,
 * and that afterwards writes at most the progress of a sweep. The last statements are not awaited: their answers arrive with that of the commit.
 */
export async function shelveIn(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions,
): Promise<Shelved> {
  const batch = await readBatch(tx, accounts, accountId, productIds, options)
  return shelveRead(tx, accounts, accountId, batch, options.withOthers === true)
}

/** Steps 4 to 6. @param withOthers see ShelveOptions */
async function shelveRead(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  batch: Batch | null,
  withOthers: boolean,
): Promise<Shelved> {
  if (batch === null) return NOTHING
  const { locked, priceIds, wholeIds, account, priced, products, weights, stored, isContentAlone = false } = batch
  // 4. resolve and compare
  const halves =
    account.isPriceAlone && priced.length > 0
      ? await diffPriceHalves(tx, accountId, account, priced, stored?.prices)
      : null
  // products whose content may have changed as well are resolved as a whole
  const more = halves === null ? priceIds : halves.rest
  const rest = [...wholeIds.slice(products.length), ...more]
  // 5. write payload halves and held prices, slice by slice: with long texts, a whole batch would take several times the memory
  const written = openWritten(tx, accountId, accounts.terms)
  if (halves !== null) await written.add(halves.writes, products.length === 0 && rest.length === 0)
  const images = openProductImages(tx, accountId, account, [...wholeIds, ...more])
  /** In a sweep of contents alone: products that have to be resolved as a whole after all. */
  const olderIds = new Set<number>()
  const marked = new Map<number, readonly number[]>()
  let isContent = isContentAlone
  const slugs = openProductSlugs(tx, accountId, account, weights, (reader, of, ids) =>
    (isContent ? readContentInputs : readProductInputs)(reader, of, ids),
  )
  let perProduct = await shelveSlice(products, rest, stored?.wholes)
  for (let at = 0; at < rest.length;) {
    const ids = nextSlice(rest, at, Math.max(1, Math.floor(LIMITS.statementCharacters / perProduct)), weights)
    at += ids.length
    perProduct = await shelveSlice(await slugs.read(ids), rest.slice(at))
  }
  // last, and with all inputs: the ones read for content halves are incomplete
  isContent = false
  const older = [...olderIds]
  for (let at = 0; at < older.length;) {
    const ids = nextSlice(older, at, LIMITS.shelveSliceProducts, weights)
    at += ids.length
    await shelveSlice(await slugs.read(ids), older.slice(at))
  }
  // 6. number the changes and write them
  const { changes, numbers } = await written.number()
  return { products: locked.length, lastId: locked.at(-1) ?? 0, changes, numbers, marked }

  /** @param later ids of the batch that follow these. @returns characters per product, by which the size of the next slice is chosen. */
  async function shelveSlice(
    inputs: readonly ProductInputs[],
    later: readonly number[],
    storing?: ReturnType<typeof storedWholeProducts>,
  ): Promise<number> {
    const addressed = await slugs.registered(inputs, later)
    const named = await images.registered(addressed)
    const grouped = await registerGroups(tx, accountId, account, named)
    const most = productsWithin(LIMITS.shelveBatchProducts, account.stores.length)
    if (withOthers && grouped.marked.length > 0 && locked.length + grouped.marked.length <= most)
      throw new JoinsOthers(locked, grouped.marked)
    if (grouped.marked.length > 0) for (const productId of grouped.movers) marked.set(productId, grouped.marked)
    const parts = [...partsOf(account, grouped.products)]
    let characters = 0
    for (const [i, part] of parts.entries()) {
      const diff = isContent
        ? await diffContentHalves(tx, accountId, part.account, part.products)
        : {
            ...(await diffWholeProducts(
              tx,
              accountId,
              part.account,
              part.products,
              parts.length === 1 ? storing : undefined,
            )),
            older: [],
          }
      for (const productId of diff.older) olderIds.add(productId)
      characters += diff.characters
      const isLast = i === parts.length - 1 && later.length === 0
      await written.add(diff.writes, isLast && (!isContent || olderIds.size === 0))
    }
    const counted = isContent ? inputs.filter(({ productId }) => !olderIds.has(productId)).length : inputs.length
    // nothing was measured: the next slice is as small as the first
    return counted === 0 ? LIMITS.statementCharacters / LIMITS.shelveSliceProducts : Math.max(1, characters / counted)
  }
}
