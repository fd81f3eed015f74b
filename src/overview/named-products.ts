import { accountGet } from '../accounts/accounts.sql.ts'
import type { StoreRow } from '../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../db/sql.ts'
import { isSameLanguage, localeChain } from '../model/locale.ts'
import { productTitle } from '../resolve/content/product-title.ts'
import { sourceOrders } from '../resolve/sourcing/sources.ts'
import { sourceOrderInputs, supplierInputs } from '../shelf/inputs/inputs.sql.ts'
import { productRows, type ProductRow } from './product-rows.sql.ts'
import { offeredTitles, ownTitles } from './product-titles.sql.ts'

// How a product is called wherever the panel names it: by the title of the store that is asked for, else by any title there is.

export interface NamedProduct extends ProductRow {
  /** In the language of the first store, else in any; null: nobody has a title for it. */
  title: string | null
  /** The locale of a title that is in another language than the first store's; null: it is in that store's. */
  titleLocale: string | null
}

/** Rows of these products, each with a title if there is one in any language. @param stores active ones, the one asked for first */
export async function namedProducts(
  reader: Reader,
  accountId: number,
  stores: readonly StoreRow[],
  productIds: readonly number[],
): Promise<NamedProduct[]> {
  const [first] = stores
  const rows = await productRows(
    reader,
    accountId,
    stores.map(({ storeId }) => storeId),
    productIds,
  )
  /** Whether the row's title is in the first store's language: its own, or that of a store with the same one. */
  const isNamed = ({ title, store }: ProductRow) => {
    const shown = stores.find(({ slug }) => slug === store)
    return title !== null && shown !== undefined && first !== undefined && isSameLanguage(shown.locale, first.locale)
  }
  const others = rows.filter((row) => !isNamed(row)).map(({ productId }) => productId)
  if (others.length === 0) return rows.map((row) => ({ ...row, titleLocale: null }))
  const titleOf = await titlesInAnyLanguage(reader, accountId, first, others)
  return rows.map((row) => ({ ...row, titleLocale: null, ...(isNamed(row) ? {} : titleOf(row.productId)) }))
}

/** Reads titles in every language, and chooses among them as stores do. */
async function titlesInAnyLanguage(
  reader: Reader,
  accountId: number,
  store: StoreRow | undefined,
  productIds: readonly number[],
): Promise<(productId: number) => { title: string; titleLocale: string | null } | undefined> {
  const [account, suppliers, orders, own, offered] = await Promise.all([
    accountGet(reader, accountId),
    supplierInputs(reader, accountId),
    sourceOrderInputs(reader, accountId),
    ownTitles(reader, accountId, productIds),
    offeredTitles(reader, accountId, productIds),
  ])
  if (account === undefined) return () => undefined
  const known = new Map(suppliers.map((supplier) => [supplier.supplierId, supplier]))
  const sources = sourceOrders(known, orders)
  const locale = store?.locale ?? account.locale
  const chain = localeChain(locale, account.locale)
  return (productId) => {
    const ofProduct = <T extends { productId: number }>(found: readonly T[]) =>
      found.filter((row) => row.productId === productId)
    const offers = ofProduct(offered).filter(({ supplierId }) => known.has(supplierId))
    const found = productTitle(chain, sources, ofProduct(own), offers)
    if (found === null) return undefined
    const { locale: in_ } = found.source
    return { title: found.value, titleLocale: in_ === null || isSameLanguage(in_, locale) ? null : in_ }
  }
}
