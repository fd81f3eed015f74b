import { SEARCH_PRODUCTS } from '../../../contract/panel/catalog.ts'
import { productsFound, productsNamed, productsTitled } from '../../overview/product-search.sql.ts'
import type { Db } from '../../db/sql.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'

/** Looking up a product. */
export function panelCatalogHandlers(app: PanelApp, { db }: ServeContext): void {
  app.handle(SEARCH_PRODUCTS, async ({ accountId, query }) => {
    const { per_page: limit } = query
    const { ids, isCapped } = await findProducts(db, accountId, query.search, limit)
    return { data: await productsFound(db, accountId, ids), meta: { per_page: limit, is_capped: isCapped } }
  })
}

/** Products by what is known of them, exact ones first; `isCapped`: there are, or may be, more. */
export async function findProducts(
  db: Db,
  accountId: number,
  search: string,
  limit: number,
): Promise<{ ids: number[]; isCapped: boolean }> {
  const text = search.trim()
  if (text === '') return { ids: [], isCapped: false }
  const number = Number(text)
  const id = /^[0-9]+$/.test(text) && Number.isSafeInteger(number) ? number : null
  const [named, titled] = await Promise.all([
    productsNamed(db, accountId, { id, text }, limit),
    productsTitled(db, accountId, text, limit),
  ])
  const ids = [...new Set([...named, ...titled.productIds])]
  return {
    ids: ids.slice(0, limit),
    isCapped: titled.isCut || titled.productIds.length >= limit || ids.length > limit,
  }
}
