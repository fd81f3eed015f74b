import Type from 'typebox'
import { Explanation } from '../explanation.ts'
import { ProductFields } from '../field-sources.ts'
import { PriceHistory } from '../operation-schemas.ts'
import { AfterId, Ean, PathId, PerPage, StoreSlug } from '../parameters.ts'
import {
  MergeBody,
  ProductCreate,
  ProductPatch,
  ProductResource,
  SplitBody,
  UngroupBody,
  Ungrouped,
} from '../product-resources.ts'
import { listMeta, readRoute, writeRoute } from '../route.ts'
import { Id } from '../values.ts'
import { WRITES } from './write-note.ts'

// What the account sets on single products, and explanations of the finished products.

const products = '/v1/account/products'
const id = PathId('Product ID.')
/** Members that all routes of one product share. */
export const ofProduct = {
  params: { id },
  unknown: { code: 'unknown-product', detail: 'the account has no such product' },
  tag: 'products',
} as const
const answer = { data: ProductResource }

export const LIST_PRODUCT_RESOURCES = readRoute({
  id: 'listProductResources',
  path: products,
  tag: 'products',
  summary: 'List products with your settings',
  description:
    'What the account has set on each product (not what suppliers state), by ID ascending. The finished products are at /v1/products.',
  query: {
    per_page: PerPage,
    after: AfterId,
    sku: Type.Optional(
      Type.String({
        pattern: '^[^\\u0000]*$',
        description:
          'Only the product with this own key (not the exported SKU, which the account’s sku_pattern may create).',
        'x-must': 'must not hold NUL',
      }),
    ),
    ean: Ean('Only products that have this EAN, found as in bulk requests; at most the first two.'),
  },
  answer: { list: ProductResource, meta: listMeta({ after: Id }) },
  returns: 'A page of products as the account has set them.',
})

export const CREATE_PRODUCT = writeRoute({
  id: 'createProduct',
  method: 'post',
  path: products,
  tag: 'products',
  summary: 'Create a product',
  description: `Creates a product without offers. Offers create their products themselves. ${WRITES}`,
  body: { noun: 'product', schema: ProductCreate },
  answer,
  returns: 'The product as the account has set it.',
  statuses: [201],
})

export const GET_PRODUCT_RESOURCE = readRoute({
  ...ofProduct,
  id: 'getProductResource',
  path: `${products}/{id}`,
  summary: 'Read a product with your settings',
  description:
    'What the account has set on the product. The ETag changes only when the account changes these settings, not when prices or texts are imported.',
  answer,
  returns: 'The product as the account has set it.',
  problems: ['unknown-product'],
})

export const PATCH_PRODUCT = writeRoute({
  ...ofProduct,
  id: 'patchProduct',
  method: 'patch',
  path: `${products}/{id}`,
  summary: 'Change a product',
  description: `A JSON merge patch, applied at every depth: null removes your value, and the suppliers’ is shown again. ${WRITES}`,
  body: { noun: 'product', schema: ProductPatch },
  answer,
  returns: 'The product as the account has now set it.',
  problems: ['unknown-product'],
  statuses: [200],
})

export const DELETE_PRODUCT = writeRoute({
  ...ofProduct,
  id: 'deleteProduct',
  method: 'delete',
  path: `${products}/{id}`,
  summary: 'Delete a product',
  description:
    'Deletes the product with its offers, stock and overrides; the change feed announces it as removed in stores that listed it. The ID is not assigned again. If a supplier sends the offer again, it creates a new product.',
  problems: ['unknown-product'],
  statuses: [204],
})

export const MERGE_PRODUCTS = writeRoute({
  ...ofProduct,
  id: 'mergeProducts',
  method: 'post',
  path: `${products}/{id}/merge`,
  summary: 'Merge products',
  description: `Moves the offers, EANs and own stock of the named products into this product, and deletes those products. ${WRITES}`,
  body: { noun: 'merge', schema: MergeBody },
  answer,
  returns: 'The product into which the others were merged.',
  problems: ['unknown-product'],
  statuses: [200],
})

export const SPLIT_PRODUCT = writeRoute({
  ...ofProduct,
  id: 'splitProduct',
  method: 'post',
  path: `${products}/{id}/split`,
  summary: 'Split a product',
  description: `Moves the named offers into a new product. ${WRITES}`,
  body: { noun: 'split', schema: SplitBody },
  answer,
  returns: 'The new product.',
  problems: ['unknown-product'],
  statuses: [201],
})

export const UNGROUP_PRODUCTS = writeRoute({
  id: 'ungroupProducts',
  method: 'post',
  path: '/v1/account/ungroup',
  tag: 'variant-groups',
  summary: 'Take products out of their variant groups',
  description: `The products are in no group, whatever suppliers state, until you put them into a group or let suppliers decide again. ${WRITES}`,
  body: { noun: 'list of products', schema: UngroupBody },
  answer: { data: Ungrouped },
  returns: 'The products that this request changed.',
  statuses: [200],
})

export const GET_PRODUCT_FIELDS = readRoute({
  id: 'getProductFields',
  path: `${products}/{id}/fields`,
  tag: 'products',
  summary: 'Read the source of each field',
  description: 'Each field of the product as the store shows it, with its source: an override, a supplier, or none.',
  params: { id },
  query: { store: StoreSlug },
  answer: { data: ProductFields },
  returns: 'Each field with its source.',
  problems: ['unknown-store', 'unknown-product', 'newer-release'],
})

/** Its path is below the finished products, but it requires a full token, because it shows costs and suppliers. */
export const EXPLAIN_PRODUCT = readRoute({
  id: 'explainProduct',
  path: '/v1/products/{id}/explain',
  tag: 'products',
  summary: 'Explain a product',
  description:
    'Why the product has its values in a store: every offer and why the best one was chosen, every pricing rule and the calculation, the parts of the stock, the sources of texts and attributes, and exclusion rules.',
  params: { id },
  query: { store: StoreSlug },
  answer: { data: Explanation },
  returns: 'Every decision behind the product’s values in this store.',
  problems: ['unknown-store', 'unknown-product', 'newer-release'],
})

export const GET_PRICE_HISTORY = readRoute({
  ...ofProduct,
  id: 'getPriceHistory',
  path: `${products}/{id}/price-history`,
  summary: 'Read the price history of a product',
  description: 'Prices of the product in one store for one customer group, newest first, over the last 400 days.',
  query: {
    store: StoreSlug,
    customer_group_id: Type.Optional(
      Type.Integer({ minimum: 1, format: 'int64', description: 'Customer group ID; the default group if omitted.' }),
    ),
  },
  answer: { data: PriceHistory },
  returns: 'The prices with their periods, and the lowest price of the last 30 days.',
  problems: ['unknown-store', 'unknown-product', 'unknown-reference'],
})

export const PRODUCT_ROUTES = [
  LIST_PRODUCT_RESOURCES,
  CREATE_PRODUCT,
  GET_PRODUCT_RESOURCE,
  PATCH_PRODUCT,
  DELETE_PRODUCT,
  MERGE_PRODUCTS,
  SPLIT_PRODUCT,
  UNGROUP_PRODUCTS,
  GET_PRODUCT_FIELDS,
  EXPLAIN_PRODUCT,
  GET_PRICE_HISTORY,
] as const
