import { emptyOffer } from '../../src/catalog/products/offers/offer-state.ts'
import { productsByKeys } from '../../src/catalog/products/keys/product-keys.sql.ts'
import {
  attributesDelete,
  attributesDeleteAllLocales,
  attributesUpsert,
  attributesAt,
  overrideCounts,
  overridesAt,
  overridesDelete,
  overridesUpsert,
} from '../../src/catalog/products/overrides/overrides.sql.ts'
import { shelfBlocksDelete, shelfDelete } from '../../src/shelf/deleted-store.sql.ts'
import {
  accountsWithOldOperations,
  accountsWithOperations,
  chunkDelete,
  chunksInsert,
  errorsInsert,
  operationCount,
  operationEnd,
  operationErrors,
  operationGet,
  operationInsert,
  operationLock,
  operationResolve,
  operationsAfter,
  operationsOpen,
  operationsSettle,
  placeMove,
  workLockNext,
} from '../../src/operations/operations.sql.ts'
import { storesList } from '../../src/catalog/settings/stores/stores.sql.ts'
import { accountsDueForSweep } from '../../src/catalog/settings/days.sql.ts'
import { markedProducts, marksAppend, marksDelete } from '../../src/catalog/stale/marks.sql.ts'
import { isStale, staleAccounts, stalePosition, waitingProducts } from '../../src/catalog/stale/stale.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import {
  type Sweep,
  sweepAdvance,
  sweepDelete,
  sweepLockNext,
  sweepsLockOverlapping,
  sweepsReplace,
} from '../../src/catalog/stale/sweeps.sql.ts'
import {
  accountsWithLongAbsent,
  heavyOffers,
  offerContents,
  offerContentsUpsert,
  offerEans,
  offerEansDelete,
  offerPricesLock,
  offerPricesUpdate,
  offersAfter,
  offersCompare,
  offersDelete,
  offersDrop,
  offersLock,
  offersLockNext,
  offersOfProductsLock,
  offersUpdate,
  offersZero,
} from '../../src/catalog/products/offers/offers.sql.ts'
import { supplierLockShared, suppliersLockShared } from '../../src/catalog/settings/suppliers/suppliers.sql.ts'
import {
  productIdRange,
  productIdsAfter,
  productIdsTake,
  productsLockShared,
  productsLockExclusive,
  productsLock,
} from '../../src/catalog/products/products.sql.ts'
import { gtinHolders, suppliersOffering } from '../../src/catalog/products/offers/match.sql.ts'
import * as ownStock from '../../src/catalog/products/stock/own-stock.sql.ts'
import { storeRowsOfProductsDelete } from '../../src/catalog/products/listings/listings.sql.ts'
import { membershipOf } from '../../src/accounts/sign-in-rules.sql.ts'
import { tokensByHash } from '../../src/accounts/tokens.sql.ts'
import { sessionByHash } from '../../src/people/sign-in/sessions.sql.ts'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import { feedWindow, feedWindows, headsOf } from '../../src/feed/changes.sql.ts'
import { changesWrite, lastNumberBefore, changeRows } from '../../src/shelf/payloads/change-counter.sql.ts'
import {
  accountInput,
  activeStores,
  assortmentRuleInputs,
  attributeDefinitionInputs,
  attributeOverrideInputs,
  eanInputs,
  exclusionInputs,
  exclusionRuleInputs,
  groupInputs,
  holdInputs,
  inputsVersion,
  listingInputs,
  offerInputs,
  offerPriceInputs,
  overrideInputs,
  ownStockInputs,
  placedProductInputs,
  priceHistoryInputs,
  productInputs,
  rateInputs,
  ruleInputs,
  sourceOrderInputs,
  storeInputs,
  supplierInputs,
  taxClassInputs,
} from '../../src/shelf/inputs/inputs.sql.ts'
import {
  contentsWrite,
  payloadsDelete,
  pricesWrite,
  shelvedBodies,
  shelvedPrices,
  shelvedPriceTags,
  shelvedTags,
} from '../../src/shelf/payloads/payloads.sql.ts'
import { productWeights } from '../../src/shelf/inputs/weights.sql.ts'
import { contentsByLocale } from '../../src/shelf/reads/locale-texts.sql.ts'
import { pageAfter, pageAt, pageOf, productsAfter } from '../../src/shelf/reads/payload-pages.sql.ts'
import { idsByEan, idsBySku, payloadsGet } from '../../src/shelf/reads/payload-reads.sql.ts'
import { groupProducts, groupsAfter } from '../../src/shelf/reads/variant-group-reads.sql.ts'
import { groupsOfKeys, membersOf } from '../../src/shelf/inputs/variant-groups.sql.ts'

// Every statement that runs per request, per batch or per page of an import, called through the functions of src.

/** The rows that the queries are about: products from the middle of a large account. */
export interface Subject {
  accountId: number
  storeIds: readonly number[]
  supplierId: number
  /** A batch, ascending. */
  productIds: readonly number[]
  /** The supplier's skus of the batch, ascending. */
  skus: readonly string[]
  gtins: readonly string[]
  /** How many products the first store lists. */
  total: number
  middle: { since: Date; id: number }
  head: { since: Date; id: number }
}

export interface HotQuery {
  name: string
  run: () => Promise<unknown>
}

class Undone extends Error {}

/** Reads the subject from an account that was filled and shelved. */
export async function readSubject(db: Db, accountId: number, supplierId: number, batch: number): Promise<Subject> {
  const storeIds = (await storesList(db, accountId)).map((row) => row.storeId)
  const [store = 0] = storeIds
  const [size] = await db<{ total: number; beforeMiddle: number }[]>`
    select coalesce(sum(products), 0)::int as total, (coalesce(sum(products), 0) / 2)::int as "beforeMiddle"
    from payload_block where account_id = ${accountId} and store_id = ${store}`
  const { total, beforeMiddle } = size ?? { total: 0, beforeMiddle: 0 }
  const rows = await db<{ id: number; sku: string; gtin: string }[]>`
    select p.product_id as id, o.supplier_sku as sku, e.gtin from (
      select product_id from payload_price where account_id = ${accountId} and store_id = ${store}
      order by product_id offset ${beforeMiddle} limit ${batch}
    ) p cross join lateral (
      select supplier_sku from offer where account_id = ${accountId} and product_id = p.product_id and supplier_id = ${supplierId} offset 0
    ) o cross join lateral (
      select gtin from product_ean where account_id = ${accountId} and product_id = p.product_id and supplier_id = ${supplierId} offset 0
    ) e`
  const [middle] = await db<{ since: Date; id: number }[]>`
    select changed_at as since, change_id as id from change where account_id = ${accountId} and store_id = ${store}
    order by changed_at, change_id offset ${beforeMiddle} limit 1`
  const [head] = await db<{ since: Date; id: number }[]>`
    select last_at as since, last_id as id from change_counter where account_id = ${accountId}`
  if (middle === undefined || head === undefined) throw new Error('the account has no changes')
  return {
    accountId,
    storeIds,
    supplierId,
    total,
    middle,
    head,
    productIds: rows.map((row) => row.id).sort((a, b) => a - b),
    skus: rows.map((row) => row.sku).sort(),
    gtins: rows.map((row) => row.gtin),
  }
}

export function reading(name: string, run: () => Promise<unknown>): HotQuery {
  return { name, run }
}

/** A query that writes, in a transaction that is rolled back. */
export function undone(db: Db, name: string, run: (tx: Tx) => Promise<unknown>): HotQuery {
  return {
    name,
    run: () =>
      inTransaction(db, async (tx) => {
        await run(tx)
        throw new Undone()
      }).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error
      }),
  }
}

/** The hot queries. Reads use the pool; writes are rolled back. */
export function hotQueries(db: Db, subject: Subject): HotQuery[] {
  const { accountId, storeIds, supplierId, skus, gtins, total, middle, head } = subject
  const ids = [...subject.productIds]
  const [[store = 0], [id = 0], [sku = '']] = [storeIds, ids, skus]
  const sweep: Sweep = { sweepId: 1, storeId: null, half: null, nextProductId: 0, endProductId: id }
  const read = reading
  const write = (name: string, run: (tx: Tx) => Promise<unknown>) => undone(db, name, run)
  const each = storeIds.flatMap((storeId) => ids.map((productId) => ({ storeId, productId })))
  const halves = each.map((key) => ({
    isNew: false,
    ...key,
    tag: 'tag',
    body: '"a":"b"',
    sku: 'sku',
    exclusion: null,
    updatedAt: null,
    shown: 'EUR 1:1',
    gaps: 1,
  }))
  const known = ids.map((productId, i) => ({
    supplierSku: skus[i] ?? '',
    productId,
    cost: '1.50',
    costTiers: null,
    currency: 'EUR',
    quantity: 1,
    feedHash: 'hash',
  }))
  const contents = known.map((row) => ({ ...emptyOffer('EUR').content, ...row }))
  const all = { shape: 'products', seesCosts: true } as const
  const places = storeIds.map((storeId) => ({ locale: `x-${storeId}`, storeId }))
  const beginning = { since: new Date(0), id: 0 }
  const windowAsked = (cursor: typeof beginning) => ({ storeId: store, ...cursor, limit: 501 })
  const brief = { ...all, shape: 'products-without-description' } as const
  return [
    read('single read', async () => await payloadsGet(db, accountId, [{ storeId: store, productId: id }])),
    read('single reads that share a statement', async () => await payloadsGet(db, accountId, each.slice(0, 50))),
    read('first page', () => pageAt(db, accountId, store, all, 0, 200)),
    read('last page', () => pageAt(db, accountId, store, all, Math.max(0, total - 200), 200)),
    read('page after an id', () => pageAfter(db, accountId, store, all, id, 200)),
    read('page without texts', () => pageAfter(db, accountId, store, brief, id, 200)),
    read('page of ids', () => pageOf(db, accountId, store, all, ids.slice(0, 200))),
    read('page of prices', () => pageAt(db, accountId, store, { ...all, shape: 'prices' }, Math.floor(total / 2), 200)),
    read('prices after an id', () => pageAfter(db, accountId, store, { ...all, shape: 'prices' }, id, 200)),
    read('prices of ids', () => pageOf(db, accountId, store, { ...all, shape: 'prices' }, ids.slice(0, 200))),
    read('groups of variants after an id', async () => await groupsAfter(db, accountId, store, 0, 50)),
    read('products of a group of variants', async () => await groupProducts(db, accountId, store, 1)),
    read('where products are registered in groups', async () => await membersOf(db, accountId, ids)),
    read('groups of keys', async () => await groupsOfKeys(db, accountId, [{ supplierId: 1, key: 'tee' }])),
    read('input: products with their groups', async () => await placedProductInputs(db, accountId, ids, true)),
    read('texts in other locales', async () => await contentsByLocale(db, accountId, places, ids.slice(0, 100), true)),
    read('walk over a store', () => productsAfter(db, accountId, store, all, id, LIMITS.exportPageProducts)),
    read('look-up by SKU', () => idsBySku(db, accountId, store, sku, 0, 200)),
    read('look-up by EAN', () =>
      idsByEan(db, accountId, store, { ean: (gtins[0] ?? '').slice(1), gtin: gtins[0] ?? null }, 0, 200),
    ),
    read('feed from the middle', async () => await feedWindow(db, accountId, store, middle, 501)),
    read('feed from the beginning', async () => await feedWindow(db, accountId, store, beginning, 501)),
    read('windows of the feed', async () => await feedWindows(db, accountId, [middle, beginning].map(windowAsked))),
    read('feed at the head', async () => await feedWindow(db, accountId, store, head, 501)),
    read('last number before a second', () => lastNumberBefore(db, accountId, middle.since)),
    read('heads for waiters', async () => await headsOf(db, [accountId])),
    read('token by hash', async () => await tokensByHash(db, ['00'.repeat(32)])),
    read('session by hash', async () => await sessionByHash(db, Buffer.alloc(32), { address: '', userAgent: '' })),
    read('membership of a person', async () => await membershipOf(db, accountId, 1)),
    read('stores', async () => await storesList(db, accountId)),
    read('marked products', () => markedProducts(db, accountId, 0, 1_000)),
    read('stale accounts', () => staleAccounts(db)),
    read('stale position', () => stalePosition(db, accountId)),
    read('is it stale', () => isStale(db, accountId)),
    read('waiting products', () => waitingProducts(db, accountId, ids)),
    read('active stores', () => activeStores(db, accountId)),
    write('marks: append', (tx) => marksAppend(tx, accountId, ids)),
    write('marks: delete', async (tx) => await marksDelete(tx, accountId, ids)),
    write('sweeps: take', (tx) => sweepLockNext(tx, accountId)),
    write('sweeps: overlapping', async (tx) => await sweepsLockOverlapping(tx, accountId, sweep)),
    write('sweeps: replace', (tx) => sweepsReplace(tx, accountId, [sweep], [{ ...sweep, endProductId: id - 1 }])),
    write('sweeps: advance', async (tx) => await sweepAdvance(tx, accountId, sweep, id)),
    write('sweeps: delete', async (tx) => await sweepDelete(tx, accountId, sweep)),
    read('product id range', () => productIdRange(db, accountId)),
    read('input: version', () => inputsVersion(db, accountId)),
    read('accounts behind', () => accountsDueForSweep(db, 1, 100)),
    read('accounts with long absent offers', () => accountsWithLongAbsent(db, 30)),
    write('offers: drop', (tx) => offersDrop(tx, accountId, 30, 1_000)),
    read('sweep batch', () => productIdsAfter(db, accountId, id, ids.length)),
    write('products: lock', (tx) => productsLock(tx, accountId, ids, false)),
    write('products: lock, skipping', (tx) => productsLock(tx, accountId, ids, true)),
    write('products: lock shared', (tx) => productsLockShared(tx, accountId, ids.slice(0, 1))),
    read('input: account', async () => await accountInput(db, accountId)),
    read('input: stores', async () => await storeInputs(db, accountId)),
    read('input: groups', async () => await groupInputs(db, accountId)),
    read('input: rules', async () => await ruleInputs(db, accountId)),
    read('input: rates', async () => await rateInputs(db, accountId)),
    read('input: tax classes', async () => await taxClassInputs(db, accountId)),
    read('input: suppliers', async () => await supplierInputs(db, accountId)),
    read('input: attribute definitions', async () => await attributeDefinitionInputs(db, accountId)),
    read('input: products', async () => await productInputs(db, accountId, ids)),
    read('input: EANs', async () => await eanInputs(db, accountId, ids)),
    read('input: offers', async () => await offerInputs(db, accountId, ids)),
    write('input: weights', async (tx) => await productWeights(tx, accountId, ids, 0)),
    read('import: weights', async () => await heavyOffers(db, accountId, supplierId, skus, 0)),
    read('input: own stock', async () => await ownStockInputs(db, accountId, ids)),
    read('input: overrides', async () => await overrideInputs(db, accountId, ids)),
    read('input: attribute overrides', async () => await attributeOverrideInputs(db, accountId, ids)),
    read('input: listings', async () => await listingInputs(db, accountId, ids)),
    read('input: exclusions', async () => await exclusionInputs(db, accountId, ids)),
    read('input: holds', async () => await holdInputs(db, accountId, ids)),
    read(
      'input: price history of products in a sale',
      async () =>
        await priceHistoryInputs(
          db,
          accountId,
          ids.map((productId) => ({ productId, beginsOn: '2020-01-01', endsOn: null })),
        ),
    ),
    read('input: exclusion rules', async () => await exclusionRuleInputs(db, accountId)),
    read('input: assortment rules', async () => await assortmentRuleInputs(db, accountId)),
    read('input: source orders', async () => await sourceOrderInputs(db, accountId)),
    read('input: offers for prices', async () => await offerPriceInputs(db, accountId, ids)),
    read('shelved price tags', async () => await shelvedPriceTags(db, accountId, storeIds, ids)),
    read('shelved prices', async () => await shelvedPrices(db, accountId, storeIds, ids)),
    read('shelved tags', async () => await shelvedTags(db, accountId, storeIds, ids)),
    read('shelved bodies', async () => await shelvedBodies(db, accountId, storeIds, ids)),
    read('change rows of the audit', async () => await changeRows(db, accountId, storeIds, ids)),
    write('payloads: write contents', async (tx) => await contentsWrite(tx, accountId, 1, halves, false)),
    write('payloads: write prices', async (tx) => await pricesWrite(tx, accountId, 1, halves, false)),
    write('payloads: delete', (tx) => {
      const keys = ids.map((productId) => ({ storeId: store, productId }))
      return Promise.all(payloadsDelete(tx, accountId, keys))
    }),
    write('changes: write', (tx) =>
      changesWrite(
        tx,
        accountId,
        each.map((key) => ({ ...key, isEntering: false, price: true, content: false, removed: false })),
        new Set(),
      ),
    ),
    read('import: compare', async () => await offersCompare(db, accountId, supplierId, 'EUR', skus)),
    read('import: offers after', async () => await offersAfter(db, accountId, supplierId, sku, 1_000)),
    write('import: lock', async (tx) => await offersLock(tx, accountId, supplierId, skus)),
    read('import: contents', async () => await offerContents(db, accountId, supplierId, known)),
    read('import: EANs', async () => await offerEans(db, accountId, supplierId, known)),
    read('import: GTIN holders', async () => await gtinHolders(db, accountId, gtins)),
    read('import: suppliers of products', async () => await suppliersOffering(db, accountId, ids, [supplierId])),
    write('import: update offers', async (tx) => await offersUpdate(tx, accountId, supplierId, known)),
    write('import: write contents', async (tx) => await offerContentsUpsert(tx, accountId, supplierId, contents)),
    write('import: delete EANs', async (tx) => await offerEansDelete(tx, accountId, supplierId, known)),
    write('import: zero offers', (tx) => offersZero(tx, accountId, supplierId, skus)),
    write('import: take ids', (tx) => productIdsTake(tx, accountId, 10)),
    write(
      'own stock: set',
      async (tx) => await ownStock.ownStockUpsert(tx, accountId, [{ productId: id, quantity: 3, cost: null }]),
    ),
    write('overrides: set', async (tx) => {
      await overridesUpsert(tx, accountId, [{ productId: id, field: 'title', locale: 'en', value: 'x' }])
      await overridesDelete(tx, accountId, [{ productId: id, field: 'title', locale: 'pl' }])
    }),
    write(
      'overrides: reset attributes',
      async (tx) => await attributesDeleteAllLocales(tx, accountId, [{ productId: id, key: 'color' }]),
    ),
    write('offers: lock those of products', async (tx) => await offersOfProductsLock(tx, accountId, ids.slice(0, 2))),
  ]
}

/** Adds operations to an account: a few with waiting rows and many that have ended, all with errors. */
export async function fillOperations(db: Db, accountId: number, count: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (let i = 0; i < count; i++) {
      const operationId = await operationInsert(tx, accountId, { kind: 'bulk_stock', state: 'queued', total: 100 })
      await chunksInsert(
        tx,
        accountId,
        operationId,
        Array.from({ length: 10 }, (_, n) => ({ firstRow: n * 10, rows: '[]' })),
      )
      await errorsInsert(
        tx,
        accountId,
        operationId,
        Array.from({ length: 20 }, (_, row) => ({ row, faults: [] })),
      )
      if (i < count - 3) await operationEnd(tx, accountId, operationId, 'succeeded')
      else if (i === count - 3) await operationResolve(tx, accountId, operationId, { markId: 0, sweepId: 0 })
    }
    await tx`
      update operation set ended_at = (ended_at at time zone 'UTC' - interval '40 days') at time zone 'UTC'
      where account_id = ${accountId} and ended_at is not null and operation_id % 2 = 0`
  })
}

/** Every statement of bulks, of a step of the operations' loop, and of reading operations over the API. */
export async function operationQueries(
  db: Db,
  { accountId, storeIds, supplierId, productIds, skus, gtins }: Subject,
): Promise<HotQuery[]> {
  const [storeId = 0] = storeIds
  const ids = [...productIds]
  const work = await inTransaction(db, (tx) => workLockNext(tx, accountId, ['bulk_stock']))
  if (work === undefined) throw new Error('the account has no open operation')
  const { operationId } = work
  const write = (name: string, run: (tx: Tx) => Promise<unknown>) => undone(db, name, run)
  const offered = ids.map((productId, i) => ({
    supplierId,
    supplierSku: skus[i] ?? '',
    productId,
    cost: '1',
    currency: 'EUR',
    quantity: 1,
  }))
  const titles = ids.map((productId) => ({ productId, field: 'title', locale: 'en' }))
  const colours = ids.map((productId) => ({ productId, key: 'color', locale: '' }))
  return [
    reading(
      'bulk: products by keys',
      async () =>
        await productsByKeys(
          db,
          accountId,
          skus.map((sku, at) => ({ at, sku })),
          gtins.map((gtin, at) => ({ at, ean: gtin.slice(1), gtin })),
        ),
    ),
    write('bulk: lock products', (tx) => productsLockExclusive(tx, accountId, ids)),
    write(
      'bulk: stock',
      async (tx) =>
        await ownStock.ownStockUpsert(
          tx,
          accountId,
          ids.map((productId) => ({ productId, quantity: 7, cost: '1' })),
        ),
    ),
    write(
      'bulk: quantities',
      async (tx) =>
        await ownStock.ownStockQuantityUpsert(
          tx,
          accountId,
          ids.map((productId) => ({ productId, quantity: 7 })),
        ),
    ),
    write('bulk: delete stock', (tx) => ownStock.ownStockDelete(tx, accountId, ids)),
    write(
      'bulk: overrides',
      async (tx) =>
        await overridesUpsert(
          tx,
          accountId,
          titles.map((row) => ({ ...row, value: 'x' })),
        ),
    ),
    write('bulk: delete overrides', async (tx) => await overridesDelete(tx, accountId, titles)),
    write(
      'bulk: attributes',
      async (tx) =>
        await attributesUpsert(
          tx,
          accountId,
          colours.map((row) => ({ ...row, value: 'x' })),
        ),
    ),
    write('bulk: delete attributes', async (tx) => await attributesDelete(tx, accountId, colours)),
    reading('bulk: overrides of one product', () => overrideCounts(db, accountId, ids)),
    reading('bulk: overrides in places', () => overridesAt(db, accountId, titles)),
    reading('bulk: attributes in places', () => attributesAt(db, accountId, colours)),
    write('bulk: lock suppliers', async (tx) => await suppliersLockShared(tx, accountId, ['north'])),
    write('import: lock the supplier', (tx) => supplierLockShared(tx, accountId, supplierId)),
    write('bulk: lock offers', async (tx) => await offerPricesLock(tx, accountId, offered)),
    write('bulk: prices', async (tx) => await offerPricesUpdate(tx, accountId, offered)),
    reading('operations: accounts', () => accountsWithOperations(db)),
    reading('operations: open', () => operationsOpen(db, accountId)),
    write('operations: take', (tx) => workLockNext(tx, accountId, ['bulk_stock'])),
    write('operations: count', (tx) =>
      operationCount(tx, accountId, operationId, { done: 1, changed: 1, unchanged: 0, failed: 0 }),
    ),
    write('operations: chunk done', (tx) => chunkDelete(tx, accountId, work)),
    write('operations: place', async (tx) => await placeMove(tx, accountId, work, '[1]')),
    write('operations: settle', (tx) => operationsSettle(tx, accountId)),
    write('operations: lock', (tx) => operationLock(tx, accountId, operationId)),
    reading('operations: one', () => operationGet(db, accountId, operationId)),
    reading('operations: page', () => operationsAfter(db, accountId, operationId, 5)),
    reading('operations: errors', async () => await operationErrors(db, accountId, operationId, 5, 10)),
    reading('operations: old accounts', () => accountsWithOldOperations(db, 30)),
    write('deletion: rows of a store', (tx) => shelfDelete(tx, accountId, storeId, ids)),
    write('deletion: listings of a store', (tx) => storeRowsOfProductsDelete(tx, accountId, storeId, ids)),
    write('deletion: blocks of a store', (tx) => shelfBlocksDelete(tx, accountId, storeId)),
    write('deletion: offers of a supplier', async (tx) =>
      offersDelete(tx, accountId, supplierId, await offersLockNext(tx, accountId, supplierId, 50)),
    ),
  ]
}
