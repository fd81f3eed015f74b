import Type from 'typebox'
import { PathId, ProductIds } from '../parameters.ts'
import { Id, Null, Text } from '../values.ts'
import { List, panelRoute } from './route.ts'

// The names of products in the panel.

/** Most products of one answer. */
export const NAMED_PRODUCTS_MAX = 200

/** Members that give a product's title. */
export const ProductTitle = {
  title: Type.Union([Text, Null], {
    description:
      'Title in the language of the default store (or of the requested store), else in any other language; null if there is none.',
  }),
  title_locale: Type.Union([Text, Null], {
    description:
      'Locale of the title if it is not in that store’s language, in which case the store may not show it; otherwise null.',
  }),
}

/** Members that name a product in a list: SKU and title. */
export const ProductName = {
  sku: Type.Union([Text, Null], {
    description: 'SKU that the store exports, else the product’s own key; null if there is neither.',
  }),
  ...ProductTitle,
}

/** The picture beside a product's name in lists. */
export const ProductThumbnail = {
  picture: Type.Union([Text, Null], {
    description:
      'URL of the service’s copy of the product’s picture, which accepts the parameters `w`, `h` and `format`; never a supplier’s URL. null if there is no picture, or none was fetched yet.',
  }),
}

export const NAME_PRODUCTS = panelRoute({
  id: 'nameProducts',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/product-names',
  panelAccess: 'member',
  summary: 'Read the names of some products',
  description: 'Products in the order of the IDs; products that the account does not have are left out.',
  params: { account_id: PathId('Account ID.') },
  query: { ids: Type.Optional(ProductIds(NAMED_PRODUCTS_MAX, `Up to ${NAMED_PRODUCTS_MAX} product IDs.`)) },
  status: 200,
  answer: List(Type.Object({ product_id: Id, ...ProductName, ...ProductThumbnail })),
})
