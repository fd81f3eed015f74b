import {
  COUNT_FINDINGS,
  COUNTED_FINDINGS,
  FIND_LISTED_PRICES,
  GET_BANK_ANSWER,
  GET_SKU_EXAMPLES,
  LIST_CHANNEL_USES,
  LIST_CURRENCIES,
  LIST_HELD_PRICES,
  LIST_OWN_STOCK,
  LIST_PRICE_LIST_USES,
  LIST_SUPPLIER_PATHS,
  LIST_SUPPLIER_USES,
} from '../../../contract/panel/settings.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { lastBankRequest, newestBankDay } from '../../bank-rates/bank-rates.sql.ts'
import { ownStockOf } from '../../catalog/products/stock/own-stock.sql.ts'
import { groupsList } from '../../catalog/settings/stores/groups.sql.ts'
import { noList } from '../../catalog/settings/prices/price-lists.ts'
import { priceListsList } from '../../catalog/settings/prices/price-lists.sql.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import { channelUses } from '../../channels/channels.sql.ts'
import { listProducts } from '../../overview/product-list.ts'
import { namedProducts } from '../../overview/named-products.ts'
import {
  heldPricesOf,
  heldProductsAfter,
  heldProductsCount,
  listedPricesOf,
  ownStockAfter,
  ownStockCount,
  priceListEntries,
  spreadProducts,
  supplierUses,
} from '../../overview/setting-uses.sql.ts'
import { currencyUses, openFindingCounts, openSupplierPaths } from '../../overview/setting-uses.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { skuExamples } from '../../shelf/reads/sku-examples.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { orderOf, productFilterOf } from './product-filter.ts'
import { nameMembers } from './represent.ts'

/** How settings are used, for their pages in the panel. */
export function panelSettingsHandlers(app: PanelApp, context: ServeContext): void {
  const { db } = context
  const pathsOf = openSupplierPaths(db)
  const countsOf = openFindingCounts(db, pathsOf)

  app.handle(LIST_CURRENCIES, async ({ accountId }) => ({
    data: (await currencyUses(db, accountId)).map(({ setAt, bankDay, heldRate, heldDay, ...row }) => ({
      ...row,
      set_at: timeOrNull(setAt),
      bank_day: bankDay,
      held_rate: heldRate,
      held_day: heldDay,
    })),
  }))
  // the text of a failure is left out; docs/decisions/220-what-came-of-the-bank.md says why
  app.handle(GET_BANK_ANSWER, async ({ accountId }) => {
    const isWanted = (await accountGet(db, accountId))?.ratesFrom === 'ecb'
    const [asked, day] = isWanted ? await Promise.all([lastBankRequest(db), newestBankDay(db)]) : [null, null]
    return {
      data: {
        asked_at: timeOrNull(asked?.askedAt ?? null),
        is_answered: (asked?.answeredAt ?? null) !== null,
        day,
        failing_since: timeOrNull(asked?.failingSince ?? null),
        failure: asked?.failureKind ?? null,
      },
    }
  })
  app.handle(LIST_SUPPLIER_USES, async ({ accountId }) => ({
    data: (await supplierUses(db, accountId)).map(({ supplierId, offers, createdAt, ...run }) => ({
      supplier_id: supplierId,
      offers,
      last_run: createdAt === null ? null : { ...run, created_at: createdAt.toISOString() },
    })),
  }))
  app.handle(LIST_PRICE_LIST_USES, async ({ accountId }) => ({ data: [...(await priceListEntries(db, accountId))] }))
  app.handle(FIND_LISTED_PRICES, async ({ accountId, params: { key }, query: { search } }) => {
    if (!(await priceListsList(db, accountId)).some((list) => list.key === key)) throw noList(key)
    const { filter, storeIds } = await productFilterOf(context, accountId, { search })
    const limit = LIMITS.priceListProductsFound
    const { productIds, next } = await listProducts(db, accountId, filter, storeIds, orderOf(undefined), null, limit)
    const data = await listedPricesOf(db, accountId, key, productIds)
    return { data: [...data], meta: { is_capped: next !== null } }
  })
  app.handle(LIST_CHANNEL_USES, async ({ accountId }) => ({
    data: (await channelUses(db, accountId)).map((row) => ({
      channel_id: row.channelId,
      last_read_at: formatTimestamp(row.lastReadAt),
    })),
  }))
  app.handle(LIST_SUPPLIER_PATHS, async ({ accountId }) => {
    const { paths, isCapped } = await pathsOf(accountId)
    return { data: paths, meta: { is_capped: isCapped } }
  })
  app.handle(GET_SKU_EXAMPLES, async ({ accountId, query }) => {
    const ids = await spreadProducts(db, accountId, LIMITS.skuSampleProducts)
    const { faults, skus } = await skuExamples(db, accountId, query.pattern === '' ? null : query.pattern, ids)
    const times = new Map<string, number>()
    for (const { sku } of skus) if (sku !== null) times.set(sku, (times.get(sku) ?? 0) + 1)
    const step = Math.max(1, Math.floor(skus.length / LIMITS.skuExamplesShown))
    const shown = skus.filter((_, i) => i % step === 0).slice(0, LIMITS.skuExamplesShown)
    const named = await withNames(context, accountId, shown)
    return {
      data: {
        faults,
        examples: named.map(({ row: { sku, missing }, ...product }) => ({ ...product, exported: sku, missing })),
        sampled: skus.length,
        without: skus.filter(({ sku }) => sku === null).length,
        shared: skus.filter(({ sku }) => sku !== null && (times.get(sku) ?? 0) > 1).length,
      },
    }
  })
  app.handle(LIST_OWN_STOCK, async ({ accountId, query }) => {
    const { per_page: limit, search, after = 0 } = query
    const total = await ownStockCount(db, accountId)
    const { rows, next } =
      search.trim() === ''
        ? pageAfter(await ownStockAfter(db, accountId, after, limit + 1), limit)
        : { rows: await foundStock(context, accountId, search, limit), next: null }
    const named = await withNames(context, accountId, rows)
    return {
      data: named.map(({ row: { quantity, cost }, ...product }) => ({ ...product, quantity, cost })),
      meta: { per_page: limit, total, next_after: next },
    }
  })
  app.handle(LIST_HELD_PRICES, async ({ accountId, query }) => {
    const { per_page: limit, after = 0 } = query
    const [ids, total, stores, groups] = await Promise.all([
      heldProductsAfter(db, accountId, after, limit + 1),
      heldProductsCount(db, accountId, LIMITS.overviewWaitingMax),
      storesList(db, accountId),
      groupsList(db, accountId),
    ])
    const { rows, next } = pageAfter(
      ids.map((productId) => ({ productId })),
      limit,
    )
    const shown = rows.map(({ productId }) => productId)
    const [named, held] = await Promise.all([withNames(context, accountId, rows), heldPricesOf(db, accountId, shown)])
    const slugOf = new Map(stores.map((row) => [row.storeId, row.slug]))
    const groupOf = new Map(groups.map((row) => [row.groupId, row.name]))
    return {
      data: named.map(({ row, ...product }) => ({
        ...product,
        prices: held
          .filter(({ productId }) => productId === row.productId)
          .map((price) => ({
            store: slugOf.get(price.storeId) ?? null,
            group: groupOf.get(price.groupId) ?? null,
            currency: price.currency,
            shown_price: price.shownPrice,
            wanted_price: price.wantedPrice,
            cost: price.cost,
            shown_rule: price.shownRule,
            wanted_rule: price.wantedRule,
            held_at: formatTimestamp(price.heldAt),
          })),
      })),
      meta: { per_page: limit, total, next_after: next },
    }
  })
  app.handle(COUNT_FINDINGS, async ({ accountId }) => {
    const counts = await countsOf(accountId)
    return {
      data: COUNTED_FINDINGS.flatMap((kind) =>
        counts[kind] === 0
          ? []
          : [
              {
                kind,
                count: Math.min(counts[kind], kind === 'offers_without_rate' ? counts[kind] : LIMITS.findingsMax),
                is_capped: kind !== 'offers_without_rate' && counts[kind] > LIMITS.findingsMax,
              },
            ],
      ),
      meta: { counted_at: formatTimestamp(counts.at) },
    }
  })
}

/** The page and its cursor. @param rows up to one more than the page has */
function pageAfter<Row extends { productId: number }>(rows: readonly Row[], limit: number) {
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.productId ?? null) : null }
}

/** Products that match a search, with their own stock or nulls. */
async function foundStock(context: ServeContext, accountId: number, search: string, limit: number) {
  const { db } = context
  const { filter, storeIds } = await productFilterOf(context, accountId, { search })
  const { productIds } = await listProducts(db, accountId, filter, storeIds, orderOf(undefined), null, limit)
  const known = new Map((await ownStockOf(db, accountId, productIds)).map((row) => [row.productId, row]))
  return productIds.map((productId) => known.get(productId) ?? { productId, quantity: null, cost: null })
}

/** Rows with the names of their products; rows of deleted products are left out. */
async function withNames<Row extends { productId: number }>(
  { db, stores }: ServeContext,
  accountId: number,
  rows: readonly Row[],
) {
  const productIds = rows.map(({ productId }) => productId)
  const found = await namedProducts(db, accountId, await stores.active(accountId), productIds)
  const productOf = new Map(found.map((product) => [product.productId, product]))
  return rows.flatMap((row) => {
    const product = productOf.get(row.productId)
    return product === undefined ? [] : [{ row, product_id: row.productId, ...nameMembers(product) }]
  })
}
