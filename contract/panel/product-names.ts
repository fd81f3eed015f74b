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
      'In the language of the default store, or of the one asked for; else in any there is. null: nobody has a title for it.',
  }),
  title_locale: Type.Union([Text, Null], {
    description:
      'Of a title in another language than that store’s, which the store may not show; null: it is in its language.',
  }),
}

/** Members that name a product in a list: SKU and title. */
export const ProductName = {
  sku: Type.Union([Text, Null], { description: 'As the store exports it, else the product’s own key.' }),
  ...ProductTitle,
}

/** The picture beside a product's name in lists. */
export const ProductThumbnail = {
  picture: Type.Union([Text, Null], {
    description:
      'URL of our copy of a picture, which takes `w`, `h` and `format`. null: it has none, or none is fetched yet; never an address of a supplier.',
  }),
}

export const NAME_PRODUCTS = panelRoute({
  id: 'nameProducts',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/product-names',
  panelAccess: 'member',
  summary: 'What some products are called',
  description: 'In the order of the IDs; products that the account does not have are left out.',
  params: { account_id: PathId('The account.') },
  query: { ids: Type.Optional(ProductIds(NAMED_PRODUCTS_MAX, `Up to ${NAMED_PRODUCTS_MAX} product IDs.`)) },
  status: 200,
  answer: List(Type.Object({ product_id: Id, ...ProductName, ...ProductThumbnail })),
})
