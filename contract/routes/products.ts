import Type from 'typebox'
import { Explanation, ProductFields } from '../explanation.ts'
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
  summary: 'List products as set',
  description: 'What the account sets of each product, by ID ascending. The finished products are at /v1/products.',
  query: {
    per_page: PerPage,
    after: AfterId,
    sku: Type.Optional(
      Type.String({
        pattern: '^[^\\u0000]*$',
        description: 'Only the product with this own key (not the exported SKU, which a pattern may create).',
        'x-must': 'must not hold NUL',
      }),
    ),
    ean: Ean('Only products that carry this EAN, as bulks find them; the first two.'),
  },
  answer: { list: ProductResource, meta: listMeta({ after: Id }) },
  returns: 'A page of what the account sets of its products.',
})

export const CREATE_PRODUCT = writeRoute({
  id: 'createProduct',
  method: 'post',
  path: products,
  tag: 'products',
  summary: 'Create a product',
  description: `Offers create products by themselves; this creates one without any. ${WRITES}`,
  body: { noun: 'product', schema: ProductCreate },
  answer,
  returns: 'The product as set.',
  statuses: [201],
})

export const GET_PRODUCT_RESOURCE = readRoute({
  ...ofProduct,
  id: 'getProductResource',
  path: `${products}/{id}`,
  summary: 'Read a product as set',
  description: 'Its ETag changes only when the account changes it: an import of prices or texts does not.',
  answer,
  returns: 'The product as set.',
  problems: ['unknown-product'],
})

export const PATCH_PRODUCT = writeRoute({
  ...ofProduct,
  id: 'patchProduct',
  method: 'patch',
  path: `${products}/{id}`,
  summary: 'Change a product',
  description: `A merge patch at every depth: null shows the suppliers’ value again. ${WRITES}`,
  body: { noun: 'product', schema: ProductPatch },
  answer,
  returns: 'The product as it is set now.',
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
    'With its offers, stock and overrides; stores that listed it announce removed. Its ID is not assigned again. An offer that a supplier sends again creates a new product.',
  problems: ['unknown-product'],
  statuses: [204],
})

export const MERGE_PRODUCTS = writeRoute({
  ...ofProduct,
  id: 'mergeProducts',
  method: 'post',
  path: `${products}/{id}/merge`,
  summary: 'Merge products',
  description: `The named products’ offers, EANs and own stock go into this one; they are deleted. ${WRITES}`,
  body: { noun: 'merge', schema: MergeBody },
  answer,
  returns: 'The product that the others went into.',
  problems: ['unknown-product'],
  statuses: [200],
})

export const SPLIT_PRODUCT = writeRoute({
  ...ofProduct,
  id: 'splitProduct',
  method: 'post',
  path: `${products}/{id}/split`,
  summary: 'Split a product',
  description: `The named offers become a product of their own. ${WRITES}`,
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
  summary: 'Take products out of their groups of variants',
  description: `They are in no group, whatever suppliers state, until they are put into one or follow suppliers again. ${WRITES}`,
  body: { noun: 'list of products', schema: UngroupBody },
  answer: { data: Ungrouped },
  returns: 'The products that this changed.',
  statuses: [200],
})

export const GET_PRODUCT_FIELDS = readRoute({
  id: 'getProductFields',
  path: `${products}/{id}/fields`,
  tag: 'products',
  summary: 'Read where each field comes from',
  description: 'Each field as the store shows it, with its source: an override, a supplier, or none.',
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
    'Why it is what it is in a store: every offer and why the best one won, every price rule and the arithmetic, stock parts, sources of texts and attributes, exclusion rules.',
  params: { id },
  query: { store: StoreSlug },
  answer: { data: Explanation },
  returns: 'Every decision that makes the product in this store.',
  problems: ['unknown-store', 'unknown-product', 'newer-release'],
})

export const GET_PRICE_HISTORY = readRoute({
  ...ofProduct,
  id: 'getPriceHistory',
  path: `${products}/{id}/price-history`,
  summary: 'Read prices as they were',
  description: 'Of one store and customer group, newest first, for 400 days.',
  query: {
    store: StoreSlug,
    customer_group_id: Type.Optional(
      Type.Integer({ minimum: 1, format: 'int64', description: 'Customer group; the default one when omitted.' }),
    ),
  },
  answer: { data: PriceHistory },
  returns: 'The prices with their times, and the lowest of the last 30 days.',
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
