import { isStale, waitingProducts } from '../catalog/stale/stale.sql.ts'
import { productIdsAfter } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { mapYielding } from '../platform/turns/yielding.ts'
import { basisOf } from '../resolve/basis.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import { resolve } from '../resolve/resolve.ts'
import { searchEntry } from '../resolve/search-entry.ts'
import { digestFaults } from './payloads/digests.sql.ts'
import { blockFaults, changeFaults, groupFaults, orphans, strayPayloads } from './audit.sql.ts'
import { changeRows } from './payloads/change-counter.sql.ts'
import { dated, encodeResolved } from './payloads/diff.ts'
import { compiledAccounts } from './inputs/compiled-inputs.ts'
import { weightsOf } from './inputs/product-slices.ts'
import { readProductInputs } from './inputs/read-inputs.ts'
import { isComplete } from './inputs/product-images.ts'
import { isGroupRegistered, statedBy } from './inputs/product-groups.ts'
import { wantedSlugs } from './inputs/product-slugs.ts'
import { keyOf } from './payloads/payload-key.ts'
import { shelvedBodies } from './payloads/payloads.sql.ts'
import { slicesOf, partsOf } from './slices.ts'
import { isUnchangedEntry } from './search/search-index.ts'
import { searchRows } from './search/search-index.sql.ts'

export interface Difference {
  storeId: number
  productId: number
  what: string
}

export interface Audit {
  products: number
  payloads: number
  /** Whether marks or sweeps of the account were still pending at the end. */
  isStale: boolean
  /** Products skipped because they were waiting to be shelved, which is not a fault. */
  waiting: number
  differences: Difference[]
  /** How many were found; `differences` has the first DIFFERENCES_KEPT of them. */
  differencesTotal: number
}

const DIFFERENCES_KEPT = 100

/**
 * Resolves every product of an account in every active store again and compares the result with what is stored: bodies byte for byte, gaps,
 * the search index, the change log (a listed product has a price and a content number; one that is not listed has a tombstone or no
 * change), the registered pictures, and the counts and digests per block. Writes nothing.
 */
export async function auditAccount(db: Db, accountId: number, onProgress = (_products: number) => {}): Promise<Audit> {
  const audit: Audit = { products: 0, payloads: 0, isStale: false, waiting: 0, differences: [], differencesTotal: 0 }
  const report = (difference: Difference) => {
    audit.differencesTotal++
    if (audit.differences.length < DIFFERENCES_KEPT) audit.differences.push(difference)
  }
  for (let after = 0; ;) {
    const ids = await productIdsAfter(db, accountId, after, LIMITS.shelveBatchProducts)
    if (ids.length === 0) break
    after = ids.at(-1) ?? after
    const weights = await weightsOf(db, accountId, ids)
    for (const slice of slicesOf(ids, ids.length, weights)) {
      const audited = await auditSlice(db, accountId, slice, report)
      audit.products += slice.length
      audit.payloads += audited.payloads
      audit.waiting += audited.waiting
      onProgress(audit.products)
    }
  }
  audit.isStale = await isStale(db, accountId)
  const log = await changeFaults(db, accountId)
  if (log.beyondHead > 0)
    report({ storeId: 0, productId: 0, what: `${log.beyondHead} changes are numbered beyond the counter` })
  if (log.repeated > 0) report({ storeId: 0, productId: 0, what: `${log.repeated} change numbers are duplicated` })
  for (const row of await groupFaults(db, accountId)) report({ storeId: 0, ...row })
  for (const row of await orphans(db, accountId)) report({ storeId: 0, ...row })
  for (const row of await strayPayloads(db, accountId))
    report({ ...row, what: 'a payload without its other half or its product' })
  for (const row of await blockFaults(db, accountId)) {
    report({
      storeId: row.storeId,
      productId: row.block * LIMITS.idBlockSize,
      what: `block ${row.block} counts ${row.counted} payloads and gaps, but has ${row.held}`,
    })
  }
  for (const { storeId, block, half } of await digestFaults(db, accountId)) {
    report({
      storeId,
      productId: block * LIMITS.idBlockSize,
      what: `the digest of block ${block} is not that of its ${half} halves`,
    })
  }
  return audit
}

type Report = (difference: Difference) => void

/** Audits products that are read together. Where payloads are long, stores are compared some at a time. */
function auditSlice(
  db: Db,
  accountId: number,
  ids: readonly number[],
  report: Report,
): Promise<{ payloads: number; waiting: number }> {
  // one snapshot for all statements, so that a batch shelved in between is not reported
  return inTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    const compiled = await compiledAccounts(db).read(tx, accountId)
    const products = await readProductInputs(tx, accountId, ids)
    const waiting = new Set(await waitingProducts(tx, accountId, ids))
    const due = products.filter(({ productId }) => !waiting.has(productId))
    const searches = await searchRows(tx, accountId, ids)
    await auditProducts(accountId, compiled, due, searches, report)
    let payloads = 0
    for (const part of partsOf(compiled, due)) payloads += await auditPart(tx, accountId, part, report)
    return { payloads, waiting: waiting.size }
  })
}

/** Compares what is stored per product rather than per payload: pictures, groups, slugs, search index. */
async function auditProducts(
  accountId: number,
  compiled: CompiledAccount,
  products: readonly ProductInputs[],
  searches: Awaited<ReturnType<typeof searchRows>>,
  report: Report,
): Promise<void> {
  const searchOf = new Map(searches.map((row) => [row.productId, row]))
  const isAddressed = compiled.account.additionalMembers.includes('slug')
  await mapYielding(products, (product) => {
    const { productId } = product
    const at = { storeId: 0, productId }
    if (compiled.account.imageBase !== null && !isComplete(product))
      report({ ...at, what: 'names other pictures than are registered for it' })
    if (!isGroupRegistered(statedBy(compiled, product), product))
      report({ ...at, what: 'states other groups than are registered for it' })
    if (isAddressed && wantedSlugs(compiled, product).length > 0)
      report({ ...at, what: 'has no slug in a store that lists it' })
    const entry = searchEntry(compiled, product, basisOf(compiled, product))
    if (!isUnchangedEntry(accountId, productId, entry, searchOf.get(productId)))
      report({ ...at, what: 'is found by something else than it has' })
  })
}

/** Compares the payloads of products in the stores of `account`. @returns the number of payloads resolved. */
async function auditPart(
  tx: Tx,
  accountId: number,
  { account: compiled, products }: { account: CompiledAccount; products: readonly ProductInputs[] },
  report: Report,
): Promise<number> {
  const ids = products.map(({ productId }) => productId)
  const storeIds = compiled.stores.map(({ store }) => store.storeId)
  const storedOf = new Map((await shelvedBodies(tx, accountId, storeIds, ids)).map((row) => [keyOf(row), row]))
  const changeOf = new Map((await changeRows(tx, accountId, storeIds, ids)).map((row) => [keyOf(row), row]))
  const isDated = compiled.account.additionalMembers.includes('updated_at')
  let payloads = 0
  await mapYielding(products, (product) => {
    for (const { store, payload, gaps } of resolve(compiled, product)) {
      const undated = encodeResolved(store.storeId, product.productId, payload, gaps)
      const old = storedOf.get(keyOf(undated))
      // the stored time of the last change counts as an input: it is kept nowhere else
      const updatedAt = isDated ? (old?.updatedAt ?? null) : null
      const fresh = dated(undated, updatedAt)
      const change = changeOf.get(keyOf(fresh))
      const at = { storeId: fresh.storeId, productId: fresh.productId }
      if (fresh.halves === null) {
        if (old !== undefined) report({ ...at, what: 'stored, but the store does not list it' })
        if (change !== undefined && !change.isRemoved)
          report({ ...at, what: 'not listed, but not removed in the feed' })
        continue
      }
      payloads++
      if (old === undefined) report({ ...at, what: 'not stored' })
      else {
        if (isDated && updatedAt === null) report({ ...at, what: 'does not say when it last changed' })
        if (old.content !== fresh.halves.content) report({ ...at, what: 'content differs from its inputs' })
        if (old.price !== fresh.halves.price) report({ ...at, what: 'price differs from its inputs' })
        if (
          old.contentTag !== fresh.halves.contentTag ||
          old.priceTag !== fresh.halves.priceTag ||
          old.sku !== fresh.halves.sku
        ) {
          report({ ...at, what: 'tag or sku column differs from its body' })
        }
        if (old.contentGaps !== gaps.content || old.priceGaps !== gaps.price)
          report({ ...at, what: 'gaps differ from its inputs' })
      }
      if (change === undefined) report({ ...at, what: 'not in the feed' })
      else if (!change.isRemoved && !change.isWhole)
        report({ ...at, what: 'has no price or no content change in the feed' })
      else if (change.isRemoved) report({ ...at, what: 'listed, but removed in the feed' })
    }
  })
  return payloads
}
