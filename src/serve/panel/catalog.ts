import { timeOrNull } from '../../platform/time/timestamp.ts'
import { forEachField, LISTED_NAMES } from '../../../contract/product-fields.ts'
import {
  COUNT_PRODUCTS,
  DELETE_PRODUCT_VIEW,
  LIST_PRODUCT_VIEWS,
  PRODUCT_CHOICES,
  PUT_PRODUCT_VIEW,
  SEARCH_PRODUCTS,
  type ListedProduct,
} from '../../../contract/panel/catalog.ts'
import { NAME_PRODUCTS } from '../../../contract/panel/product-names.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { categoryPaths } from '../../catalog/settings/content/categories.sql.ts'
import type { StoreRow } from '../../catalog/settings/stores/stores.sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import { inTransaction } from '../../db/sql.ts'
import { Check } from '../../input/check.ts'
import { namedProducts, type NamedProduct } from '../../overview/named-products.ts'
import type { GroupLine } from '../../overview/product-lines.sql.ts'
import { countProducts, listedGroups, listProducts, suggestSearch } from '../../overview/product-list.ts'
import type { ProductFilter } from '../../overview/product-wanted.ts'
import { inSpellingOf } from '../../model/search-words.ts'
import { exclusionReasons, isSettling } from '../../overview/product-rows.sql.ts'
import { viewDelete, viewPut, viewsList, type ProductViewRow } from '../../overview/product-views.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { orderOf, productFilterOf, readCursor, writeCursor } from './product-filter.ts'
import { nameMembers } from './represent.ts'

/** Lists of products, and saved views of them. */
export function panelCatalogHandlers(app: PanelApp, context: ServeContext): void {
  const { db } = context
  app.handle(SEARCH_PRODUCTS, async ({ accountId, query }) => {
    const { per_page: perPage } = query
    const { filter, storeIds, shown } = await productFilterOf(context, accountId, query)
    const after = readCursor(query.after)
    const groupId = query.group ?? null
    const isByGroup = query.together === 'yes' && groupId === null
    const [page, settling] = await Promise.all([
      listProducts(db, accountId, filter, storeIds, orderOf(query.sort), after, perPage, { isByGroup, groupId }),
      isSettling(db, accountId),
    ])
    const isNothing = page.productIds.length === 0 && page.next === null && after === null
    const [rows, groups, meant] = await Promise.all([
      namedProducts(db, accountId, shown, page.productIds),
      isByGroup ? listedGroups(db, accountId, filter, storeIds, page.productIds) : NO_GROUPS,
      isNothing && filter.text.trim() !== '' ? meantText(accountId, filter, storeIds, shown) : null,
    ])
    return {
      data: rows.map((row) => represent(row, groups.get(row.productId))),
      meta: {
        per_page: perPage,
        next_after: writeCursor(page.next),
        total: page.total,
        did_you_mean: meant,
        is_settling: settling,
      },
    }
  })
  /** A text that would find something instead, spelled as in the title of a product; null: none. */
  async function meantText(accountId: number, filter: ProductFilter, storeIds: number[], shown: readonly StoreRow[]) {
    const meant = await suggestSearch(db, accountId, filter, storeIds)
    if (meant === null) return null
    const [row] = await namedProducts(db, accountId, shown, [meant.productId])
    return inSpellingOf(meant.text, row?.title ?? '')
  }
  app.handle(NAME_PRODUCTS, async ({ accountId, query }) => {
    const { ids = [] } = query
    const rows = await namedProducts(db, accountId, await context.stores.active(accountId), ids)
    return { data: rows.map((row) => ({ product_id: row.productId, ...nameMembers(row) })) }
  })
  app.handle(COUNT_PRODUCTS, async ({ accountId, query }) => {
    const { filter, storeIds } = await productFilterOf(context, accountId, query)
    const together = { isByGroup: query.together === 'yes', groupId: null }
    return { data: { count: await countProducts(db, accountId, filter, storeIds, together) } }
  })
  app.handle(PRODUCT_CHOICES, async ({ accountId }) => {
    const stores = await context.stores.active(accountId)
    const storeIds = stores.map(({ storeId }) => storeId)
    const [suppliers, categories, reasons, account] = await Promise.all([
      suppliersList(db, accountId),
      categoryPaths(db, accountId),
      exclusionReasons(db, accountId, storeIds, LIMITS.productReasonsShown),
      accountGet(db, accountId),
    ])
    return {
      data: {
        suppliers: suppliers.map(({ supplierId, code, name }) => ({ id: supplierId, code, name })),
        categories: categories.map(({ path }) => path),
        reasons,
        locales: [
          ...new Set([...(account === undefined ? [] : [account.locale]), ...stores.map(({ locale }) => locale)]),
        ],
      },
    }
  })
  app.handle(LIST_PRODUCT_VIEWS, async ({ accountId, session }) => ({
    data: (await viewsList(db, accountId, session.personId)).map(viewOf),
  }))
  app.handle(PUT_PRODUCT_VIEW, async ({ accountId, session, body }) => {
    const check = new Check()
    const name = check.text('name', body.name, LIMITS.nameLengthMax)
    check.done('view')
    const { address } = body
    const viewId = await inTransaction(db, async (tx) => {
      const known = await viewsList(tx, accountId, session.personId)
      if (
        known.length >= LIMITS.productViewsMax &&
        !known.some((view) => view.name.toLowerCase() === name.toLowerCase())
      )
        throw new ShelfwireError('conflict', `a person keeps at most ${LIMITS.productViewsMax} views; delete one first`)
      return viewPut(tx, accountId, session.personId, { name, address })
    })
    return { data: { id: viewId, name, address } }
  })
  app.handle(DELETE_PRODUCT_VIEW, async ({ accountId, session, params }) => {
    const { view_id: viewId } = params
    if (!(await inTransaction(db, (tx) => viewDelete(tx, accountId, session.personId, viewId))))
      throw new ShelfwireError('unknown-reference', `you keep no view ${viewId} in this account`)
    return undefined
  })
}

const viewOf = ({ viewId, name, address }: ProductViewRow) => ({ id: viewId, name, address })

const NO_GROUPS: ReadonlyMap<number, GroupLine> = new Map()

function represent(row: NamedProduct, group: GroupLine | undefined): ListedProduct {
  const half = row.price === null ? null : priceOf(row.price)
  return {
    id: row.productId,
    ...nameMembers(row),
    ean: row.ean,
    ...forEachField(LISTED_NAMES, (field) => row[field]),
    store: row.store,
    stores: row.stores,
    excluded_in: row.excludedIn,
    exclusion_reason: row.exclusionReason,
    price: half?.price ?? null,
    currency: half?.currency ?? null,
    stock: half?.stock ?? null,
    in_stock: row.isInStock,
    changed_at: timeOrNull(row.changedAt),
    // a group of which only one product matches is shown as that product
    group:
      group === undefined || group.productIds.length < 2
        ? null
        : {
            id: group.groupId,
            title: row.groupTitle,
            product_ids: group.productIds,
            price_from: group.priceFrom,
            price_to: group.priceTo,
            currency: group.currency,
            stock: group.stock,
          },
  }
}

/** The price of the first customer group, as the stored text: a binary float could change it. */
function priceOf(members: string): { price: string | null; currency: string | null; stock: number } {
  const asText = (name: string, value: unknown, { source }: { source?: string } = {}) =>
    name === 'computed_price' ? source : value
  const { prices, stock } = JSON.parse(`{${members}}`, asText) as {
    prices: { computed_price: string; currency: string }[]
    stock: number
  }
  const [first] = prices
  return { price: first?.computed_price ?? null, currency: first?.currency ?? null, stock }
}
