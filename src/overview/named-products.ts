import { accountGet } from '../accounts/accounts.sql.ts'
import type { StoreRow } from '../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../db/sql.ts'
import { isSameLanguage, localeChain } from '../model/locale.ts'
import { productTitle } from '../resolve/content/product-title.ts'
import { sourceOrders } from '../resolve/sourcing/sources.ts'
import { sourceOrderInputs, supplierInputs } from '../shelf/inputs/inputs.sql.ts'
import { productRows, type ProductRow } from './product-rows.sql.ts'
import { offeredTitles, ownTitles } from './product-titles.sql.ts'

// The name of a product in the panel: its title in the requested store, otherwise any title.

export interface NamedProduct extends ProductRow {
  /** In the first store's language, otherwise in any; null: it has no title. */
  title: string | null
  /** The locale of a title that is not in the first store's language; null: it is. */
  titleLocale: string | null
}

/** Rows of these products, each with a title if it has one in any language. @param stores active ones, the requested one first */
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
  /** Whether the row's title is in the first store's language, from that store or another store with this language. */
  const isNamed = ({ title, store }: ProductRow) => {
    const shown = stores.find(({ slug }) => slug === store)
    return title !== null && shown !== undefined && first !== undefined && isSameLanguage(shown.locale, first.locale)
  }
  const others = rows.filter((row) => !isNamed(row)).map(({ productId }) => productId)
  if (others.length === 0) return rows.map((row) => ({ ...row, titleLocale: null }))
  const titleOf = await titlesInAnyLanguage(reader, accountId, first, others)
  return rows.map((row) => ({ ...row, titleLocale: null, ...(isNamed(row) ? {} : titleOf(row.productId)) }))
}

/** Reads titles in all languages, and chooses among them in the order that stores use. */
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
