import { isStale, waitingProducts } from '../catalog/stale/stale.sql.ts'
import { productIdsAfter } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { basisOf } from '../resolve/basis.ts'
import { resolve } from '../resolve/resolve.ts'
import { searchEntry } from '../resolve/search-entry.ts'
import { digestFaults } from './payloads/digests.sql.ts'
import { blockFaults, changeFaults, groupFaults, orphans, strayPayloads } from './audit.sql.ts'
import { changeRows } from './payloads/change-counter.sql.ts'
import { dated, encodeFresh } from './payloads/diff.ts'
import { compiledAccounts } from './inputs/compiled-inputs.ts'
import { readProductInputs } from './inputs/read-inputs.ts'
import { isComplete } from './inputs/product-images.ts'
import { isPlaced, statedBy } from './inputs/product-groups.ts'
import { wantedSlugs } from './inputs/product-slugs.ts'
import { keyOf } from './payloads/payload-key.ts'
import { shelvedBodies } from './payloads/payloads.sql.ts'
import { isAsFound } from './search/search-index.ts'
import { searchRows } from './search/search-index.sql.ts'

export interface Difference {
  storeId: number
  productId: number
  what: string
}

export interface Audit {
  products: number
  payloads: number
  /** Whether some of the account's products were still waiting to be shelved at the end. */
  isStale: boolean
  /** Products skipped because they were waiting to be shelved: work that is not done yet is not a difference. */
  waiting: number
  differences: Difference[]
  /** How many were found; `differences` has the first DIFFERENCES_KEPT of them. */
  differencesTotal: number
}

const DIFFERENCES_KEPT = 100

/**
 * Resolves every product of an account in every active store again and compares the result with what is stored: bodies
 * byte for byte, what each product lacks and is found by, the change log (a listed product has a price and a content number, a product that
 * is not listed has a tombstone or nothing), the pictures that each product names, and the counts and digests per block. Writes nothing.
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
    const batch = await auditBatch(db, accountId, ids, report)
    audit.products += ids.length
    audit.payloads += batch.payloads
    audit.waiting += batch.waiting
    onProgress(audit.products)
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

async function auditBatch(
  db: Db,
  accountId: number,
  ids: number[],
  report: (difference: Difference) => void,
): Promise<{ payloads: number; waiting: number }> {
  // one snapshot for all statements, so that a batch shelved in between is not reported
  const [compiled, products, stored, changes, searches, waitingIds] = await inTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    const compiled = await compiledAccounts(db).read(tx, accountId)
    const storeIds = compiled.stores.map(({ store }) => store.storeId)
    return [
      compiled,
      await readProductInputs(tx, accountId, ids),
      await shelvedBodies(tx, accountId, storeIds, ids),
      await changeRows(tx, accountId, storeIds, ids),
      await searchRows(tx, accountId, ids),
      await waitingProducts(tx, accountId, ids),
    ] as const
  })
  const storedOf = new Map(stored.map((row) => [keyOf(row), row]))
  const changeOf = new Map(changes.map((row) => [keyOf(row), row]))
  const searchOf = new Map(searches.map((row) => [row.productId, row]))
  const waiting = new Set(waitingIds)
  const isDated = compiled.account.additionalMembers.includes('updated_at')
  const isAddressed = compiled.account.additionalMembers.includes('slug')
  let payloads = 0
  for (const product of products) {
    if (waiting.has(product.productId)) continue
    if (compiled.account.imageBase !== null && !isComplete(product))
      report({ storeId: 0, productId: product.productId, what: 'names other pictures than are registered for it' })
    if (!isPlaced(statedBy(compiled, product), product))
      report({ storeId: 0, productId: product.productId, what: 'states other groups than are registered for it' })
    if (isAddressed && wantedSlugs(compiled, product).length > 0)
      report({ storeId: 0, productId: product.productId, what: 'has no slug in a store that lists it' })
    const basis = basisOf(compiled, product)
    const entry = searchEntry(compiled, product, basis)
    if (!isAsFound(accountId, product.productId, entry, searchOf.get(product.productId)))
      report({ storeId: 0, productId: product.productId, what: 'is found by something else than it has' })
    for (const { store, payload, gaps } of resolve(compiled, product, basis)) {
      const undated = encodeFresh(store.storeId, product.productId, payload, gaps)
      const old = storedOf.get(keyOf(undated))
      // when the content last changed is an input here: nothing else knows it
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
  }
  return { payloads, waiting: waiting.size }
}
