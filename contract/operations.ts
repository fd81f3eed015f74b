import Type from 'typebox'
import type { SchemaName } from './schemas.ts'

/** A query or path parameter as documented; serve/query.ts reads it and applies exactly these rules. */
export interface Parameter {
  name: string
  in: 'query' | 'path'
  schema: Type.TSchema
  description: string
}

/** One operation of the API: what OpenAPI documents and serve/ implements, one file each. */
export interface Operation {
  id: string
  path: string
  summary: string
  description: string
  parameters: readonly Parameter[]
  /** Body of the 200. */
  answer: SchemaName
  /** Statuses besides 200, 304, 401, 403, 429 and 500, which every operation has. */
  problems: readonly number[]
}

const query = (name: string, schema: Type.TSchema, description: string): Parameter => ({
  name,
  in: 'query',
  schema,
  description,
})

const store = query('store', Type.String(), 'Store slug; the default store when omitted.')
const perPage = query('per_page', Type.Integer({ default: 50 }), 'Page size; clamped to 1-200.')
const page = query(
  'page',
  Type.Integer({ minimum: 1, default: 1, format: 'int64' }),
  'Page number. A walk by pages can skip rows while products leave the store; after_id and the change feed do not.',
)
const ids = query(
  'ids',
  Type.String({ pattern: '^[1-9]\\d{0,18}(,[1-9]\\d{0,18}){0,199}$', examples: ['1,2,3'] }),
  'Up to 200 product IDs, so that a window of changes is fetched in one request. Products the store does not list are left out.',
)
const afterId = query(
  'after_id',
  Type.Integer({ minimum: 0, format: 'int64' }),
  'Keyset paging: products with a higher ID. Start with 0, go on with meta.next_after_id until it is null.',
)
const id: Parameter = { name: 'id', in: 'path', schema: Type.Integer({ minimum: 1 }), description: 'Product ID.' }

export const OPERATIONS = [
  {
    id: 'listProducts',
    path: '/v1/products',
    summary: 'List the products of a store',
    description:
      'Finished products of one store, by ID ascending. Excluded products are listed too. Of page, ids, sku, ean and after_id at most one may be given.',
    parameters: [
      store,
      perPage,
      page,
      ids,
      afterId,
      query(
        'sku',
        Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*$' }),
        'Products with this exported SKU.',
      ),
      query('ean', Type.String({ pattern: '^\\d{1,14}$' }), 'Products with this EAN, primary or not.'),
    ],
    answer: 'ProductList',
    problems: [400, 404],
  },
  {
    id: 'getProduct',
    path: '/v1/products/{id}',
    summary: 'Read one product',
    description: 'The finished product as the store shows it. 404 when the store does not list it.',
    parameters: [id, store],
    answer: 'ProductAnswer',
    problems: [400, 404],
  },
  {
    id: 'listPrices',
    path: '/v1/prices',
    summary: 'List prices and stock of a store',
    description: 'The half of the products that moves often; the same paging, without texts and images.',
    parameters: [store, perPage, page, ids, afterId],
    answer: 'PriceList',
    problems: [400, 404],
  },
  {
    id: 'getPrices',
    path: '/v1/prices/{id}',
    summary: 'Read prices and stock of one product',
    description: 'One entry of listPrices.',
    parameters: [id, store],
    answer: 'PricesAnswer',
    problems: [400, 404],
  },
  {
    id: 'listStores',
    path: '/v1/stores',
    summary: 'List the active stores',
    description: 'The account’s active stores, default store first.',
    parameters: [],
    answer: 'StoreList',
    problems: [],
  },
  {
    id: 'listChanges',
    path: '/v1/changes',
    summary: 'Read the change feed',
    description:
      'The latest change per product after a cursor. Send neither since nor since_id to read from the beginning (the walk doubles as a bootstrap), then always both as next_since and next_id of the previous answer. When has_more is false you have every change committed before the answer. A product may be seen twice, never older news after newer.',
    parameters: [
      store,
      query(
        'since',
        Type.String({ examples: ['2026-11-20T10:00:00+00:00', 'now'] }),
        'First half of the cursor: an RFC 3339 timestamp, or `now` for an empty list and the newest cursor. Alone: everything at or after that second.',
      ),
      query('since_id', Type.Integer({ minimum: 0, default: 0, format: 'int64' }), 'Second half of the cursor.'),
      query('limit', Type.Integer({ minimum: 1, maximum: 1000, default: 500 }), 'Changes per window.'),
      query(
        'wait',
        Type.Integer({ minimum: 0, maximum: 25, default: 0 }),
        'Seconds to wait for a change when there is none yet.',
      ),
    ],
    answer: 'ChangeList',
    problems: [400, 404, 410],
  },
] as const satisfies readonly Operation[]
