import { SEARCH_PRODUCTS } from '../../../contract/panel/catalog.ts'
import { productsFound, productsNamed, productsTitled } from '../../overview/product-search.sql.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'

/** Looking up a product. */
export function panelCatalogHandlers(app: PanelApp, { db }: ServeContext): void {
  app.handle(SEARCH_PRODUCTS, async ({ accountId, query }) => {
    const { per_page: limit } = query
    const text = query.search.trim()
    const number = Number(text)
    const id = /^[0-9]+$/.test(text) && Number.isSafeInteger(number) ? number : null
    if (text === '') return { data: [], meta: { per_page: limit, is_capped: false } }
    const [named, titled] = await Promise.all([
      productsNamed(db, accountId, { id, text }, limit),
      productsTitled(db, accountId, text, limit),
    ])
    const ids = [...new Set([...named, ...titled.productIds])]
    return {
      data: await productsFound(db, accountId, ids.slice(0, limit)),
      meta: { per_page: limit, is_capped: titled.isCut || titled.productIds.length >= limit || ids.length > limit },
    }
  })
}
