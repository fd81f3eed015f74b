import Type from 'typebox'
import { Clamped, PathId } from '../parameters.ts'
import { Id, Null, Text } from '../values.ts'
import { panelRoute } from './route.ts'

// Looking up a product. What stores read of it, and why, is at /v1.

const Known = Type.Union([Text, Null])

const FoundProduct = Type.Object({
  id: Id,
  sku: Known,
  ean: Known,
  title: Type.Union([Text, Null], { description: 'In the first store that lists it; null: it has none there.' }),
  stores: Type.Integer({ description: 'How many stores list it.' }),
})

export const SEARCH_PRODUCTS = panelRoute({
  id: 'searchProducts',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/products',
  panelAccess: 'member',
  summary: 'Products by ID, SKU or EAN, which must be whole, or by a part of a title; exact ones first',
  params: { account_id: PathId('The account.') },
  query: {
    search: Type.String({
      default: '',
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description: 'What is known of it; nothing is found by an empty text.',
      'x-must': 'must have at most 200 characters, none of them NUL',
    }),
    per_page: Clamped(1, 200, 50, 'Products at most'),
  },
  status: 200,
  answer: Type.Object({
    data: Type.Array(FoundProduct),
    meta: Type.Object({
      per_page: Type.Integer(),
      is_capped: Type.Boolean({ description: 'Whether there are, or may be, more than were looked at.' }),
    }),
  }),
})

export const PANEL_CATALOG_ROUTES = [SEARCH_PRODUCTS] as const
