import { NAME_FIELDS, OVERRIDE_FIELDS } from './product-fields.ts'
import Type from 'typebox'
import { ConfirmBody, Confirmed, Findings } from './findings.ts'
import type { Parameter } from './operations.ts'
import {
  AccountPatch,
  AccountSource,
  MergeBody,
  OfferPatch,
  OfferPut,
  OfferSource,
  ProductCreate,
  ProductPatch,
  ProductSource,
  SplitBody,
  StockPatch,
  StockPut,
  StockSource,
} from './product-sources.ts'
import {
  createBody,
  patchBody,
  putBody,
  representation,
  SOURCE_RESOURCES,
  withArticle,
  type SourceResource,
} from './sources.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** An operation on what an account states. All need a full token. */
export interface SourceOperation {
  id: string
  method: Method
  path: string
  summary: string
  description: string
  parameters: readonly Parameter[]
  body?: Type.TSchema
  /** Name of the schema of `data`; null: no body. `isList`: data is a list of it. */
  answer: string | null
  isList?: boolean
  /** Name of the schema of the whole body, where it is not `{data}`. */
  whole?: string
  status: 200 | 201 | 202 | 204
  tag: string
}

const inPath = (name: string, isText: boolean, description: string): Parameter => ({
  name,
  in: 'path',
  schema: isText ? Type.String() : Type.Integer({ minimum: 1 }),
  description,
})
const query = (name: string, schema: Type.TSchema, description: string): Parameter => ({
  name,
  in: 'query',
  schema,
  description,
})
const perPage = query('per_page', Type.Integer({ default: 50 }), 'Page size; clamped to 1-200.')
const after = (isText: boolean) =>
  query(
    'after',
    isText ? Type.String() : Type.Integer({ minimum: 0 }),
    'meta.next_after of the page before; the first page when left out.',
  )
const store = query('store', Type.String(), 'Store slug; the default store when omitted.')
const productId = inPath('id', false, 'Product ID.')

const WRITES =
  'What it alters can be read, and is in the feed, when the answer arrives; where that would take longer than Prefer: wait=N (2 s by default), Operation-Location names an operation that tells how far it is.'

function ofResource(resource: SourceResource): SourceOperation[] {
  const { path, noun, key, schema, deletion } = resource
  const name = schema.replace(/Source$/, '')
  const collection = `/v1/account/${path}`
  const one = `${collection}/{${key.name}}`
  const keyParameter = inPath(key.name, key.isText, key.description)
  const tag = path
  const single = withArticle(noun)
  return [
    {
      id: `list${schema}s`,
      method: 'get',
      path: collection,
      summary: `List ${noun} sources`,
      description: 'As stated, in the order of their keys.',
      parameters: [perPage, after(key.isText)],
      answer: schema,
      isList: true,
      status: 200,
      tag,
    },
    {
      id: `create${name}`,
      method: 'post',
      path: collection,
      summary: `Create ${single}`,
      description: `${key.isText ? '409 when the key is taken. ' : ''}${WRITES}`,
      parameters: [],
      body: createBody(resource),
      answer: schema,
      status: 201,
      tag,
    },
    {
      id: `get${name}Source`,
      method: 'get',
      path: one,
      summary: `Read ${single} as stated`,
      description: 'Its ETag moves with what was stated alone; send it as If-Match with an edit.',
      parameters: [keyParameter],
      answer: schema,
      status: 200,
      tag,
    },
    ...(key.isText
      ? [
          {
            id: `put${name}`,
            method: 'put' as const,
            path: one,
            summary: `Create or replace ${single}`,
            description: `What the body leaves out gets its default. 201 when it is new. If-None-Match: * refuses to replace. ${WRITES}`,
            parameters: [keyParameter],
            body: putBody(resource),
            answer: schema,
            status: 200 as const,
            tag,
          },
        ]
      : []),
    {
      id: `patch${name}`,
      method: 'patch',
      path: one,
      summary: `Change ${single}`,
      description: `A merge patch: absent is unchanged, null goes back to the default. ${WRITES}`,
      parameters: [keyParameter],
      body: patchBody(resource),
      answer: schema,
      status: 200,
      tag,
    },
    {
      id: `delete${name}`,
      method: 'delete',
      path: one,
      summary: `Delete ${single}`,
      description: deletion,
      parameters: [keyParameter],
      answer: null,
      status: 204,
      tag,
    },
  ]
}

const ACCOUNT: SourceOperation[] = [
  {
    id: 'getAccount',
    method: 'get',
    path: '/v1/account',
    summary: 'Read the account’s settings',
    description: 'What holds for the whole account.',
    parameters: [],
    answer: 'AccountSource',
    status: 200,
    tag: 'account',
  },
  {
    id: 'patchAccount',
    method: 'patch',
    path: '/v1/account',
    summary: 'Change the account’s settings',
    description: `The currency never changes: costs and rates are stated in it. ${WRITES}`,
    parameters: [],
    body: AccountPatch,
    answer: 'AccountSource',
    status: 200,
    tag: 'account',
  },
]

const products = '/v1/account/products'
const PRODUCTS: SourceOperation[] = [
  {
    id: 'listProductSources',
    method: 'get',
    path: products,
    summary: 'List products as stated',
    description: 'What the owner said of each product, by ID ascending. The finished products are at /v1/products.',
    parameters: [
      perPage,
      after(false),
      query(
        'sku',
        Type.String(),
        'Only the product with this key of its own (not the exported SKU, which a pattern may make).',
      ),
      query('ean', Type.String(), 'Only products that carry this EAN, as bulks find them; the first two.'),
    ],
    answer: 'ProductSource',
    isList: true,
    status: 200,
    tag: 'products',
  },
  {
    id: 'createProduct',
    method: 'post',
    path: products,
    summary: 'Create a product',
    description: `Products come from offers by themselves; this makes one without any. ${WRITES}`,
    parameters: [],
    body: ProductCreate,
    answer: 'ProductSource',
    status: 201,
    tag: 'products',
  },
  {
    id: 'getProductSource',
    method: 'get',
    path: `${products}/{id}`,
    summary: 'Read a product as stated',
    description: 'Its ETag moves with what the owner states alone: an import of prices or texts moves it not.',
    parameters: [productId],
    answer: 'ProductSource',
    status: 200,
    tag: 'products',
  },
  {
    id: 'patchProduct',
    method: 'patch',
    path: `${products}/{id}`,
    summary: 'Change what is stated of a product',
    description: `A merge patch at every depth: null shows what suppliers state again. ${WRITES}`,
    parameters: [productId],
    body: ProductPatch,
    answer: 'ProductSource',
    status: 200,
    tag: 'products',
  },
  {
    id: 'deleteProduct',
    method: 'delete',
    path: `${products}/{id}`,
    summary: 'Delete a product',
    description:
      'With its offers, stock and overrides; stores that listed it announce removed. Its ID is not given out again. An offer that a supplier sends again makes a new product.',
    parameters: [productId],
    answer: null,
    status: 204,
    tag: 'products',
  },
  {
    id: 'mergeProducts',
    method: 'post',
    path: `${products}/{id}/merge`,
    summary: 'Merge products',
    description: `The named products’ offers, EANs and own stock go into this one; they are deleted. ${WRITES}`,
    parameters: [productId],
    body: MergeBody,
    answer: 'ProductSource',
    status: 200,
    tag: 'products',
  },
  {
    id: 'splitProduct',
    method: 'post',
    path: `${products}/{id}/split`,
    summary: 'Split a product',
    description: `The named offers become a product of their own. ${WRITES}`,
    parameters: [productId],
    body: SplitBody,
    answer: 'ProductSource',
    status: 201,
    tag: 'products',
  },
  {
    id: 'getProductFields',
    method: 'get',
    path: `${products}/{id}/fields`,
    summary: 'Read where each field comes from',
    description: 'Each field as the store shows it, with who said so: an override, which supplier, or nobody.',
    parameters: [productId, store],
    answer: 'ProductFields',
    status: 200,
    tag: 'products',
  },
  {
    id: 'explainProduct',
    method: 'get',
    path: '/v1/products/{id}/explain',
    summary: 'Explain a product',
    description:
      'Why it is what it is in a store: every offer and why the best one won, every price rule and the arithmetic, stock parts, sources of texts and attributes, exclusion rules.',
    parameters: [productId, store],
    answer: 'Explanation',
    status: 200,
    tag: 'products',
  },
  {
    id: 'getPriceHistory',
    method: 'get',
    path: `${products}/{id}/price-history`,
    summary: 'Read prices as they were',
    description: 'Of one store and customer group, newest first, for 400 days.',
    parameters: [
      productId,
      store,
      query('customer_group_id', Type.Integer({ minimum: 1 }), 'Customer group; the default one when omitted.'),
    ],
    answer: 'PriceHistory',
    status: 200,
    tag: 'products',
  },
  {
    id: 'getStock',
    method: 'get',
    path: `${products}/{id}/stock`,
    summary: 'Read own stock',
    description: '404 when the product has none of its own.',
    parameters: [productId],
    answer: 'StockSource',
    status: 200,
    tag: 'stock',
  },
  {
    id: 'putStock',
    method: 'put',
    path: `${products}/{id}/stock`,
    summary: 'Set own stock',
    description: `201 when it had none. ${WRITES}`,
    parameters: [productId],
    body: StockPut,
    answer: 'StockSource',
    status: 200,
    tag: 'stock',
  },
  {
    id: 'patchStock',
    method: 'patch',
    path: `${products}/{id}/stock`,
    summary: 'Change own stock',
    description: WRITES,
    parameters: [productId],
    body: StockPatch,
    answer: 'StockSource',
    status: 200,
    tag: 'stock',
  },
  {
    id: 'deleteStock',
    method: 'delete',
    path: `${products}/{id}/stock`,
    summary: 'Take own stock away',
    description: 'The product is sold from suppliers alone.',
    parameters: [productId],
    answer: null,
    status: 204,
    tag: 'stock',
  },
]

const code = inPath('code', true, 'The supplier’s code.')
const sku = inPath('sku', true, 'The supplier’s key of the article.')
const offers = '/v1/account/suppliers/{code}/offers'
const OFFERS: SourceOperation[] = [
  {
    id: 'listOffers',
    method: 'get',
    path: offers,
    summary: 'List a supplier’s offers',
    description: 'By the supplier’s key ascending.',
    parameters: [code, perPage, after(true)],
    answer: 'OfferSource',
    isList: true,
    status: 200,
    tag: 'offers',
  },
  {
    id: 'getOffer',
    method: 'get',
    path: `${offers}/{sku}`,
    summary: 'Read an offer',
    description: 'As the supplier states it.',
    parameters: [code, sku],
    answer: 'OfferSource',
    status: 200,
    tag: 'offers',
  },
  {
    id: 'putOffer',
    method: 'put',
    path: `${offers}/{sku}`,
    summary: 'Create or replace an offer',
    description: `A new offer joins the product that carries its EAN, or makes one. ${WRITES}`,
    parameters: [code, sku],
    body: OfferPut,
    answer: 'OfferSource',
    status: 200,
    tag: 'offers',
  },
  {
    id: 'patchOffer',
    method: 'patch',
    path: `${offers}/{sku}`,
    summary: 'Change an offer',
    description: `Absent is unchanged, null clears. Lists are replaced. ${WRITES}`,
    parameters: [code, sku],
    body: OfferPatch,
    answer: 'OfferSource',
    status: 200,
    tag: 'offers',
  },
  {
    id: 'deleteOffer',
    method: 'delete',
    path: `${offers}/{sku}`,
    summary: 'Delete an offer',
    description: 'Its product stays; the article goes back to that product should it come again.',
    parameters: [code, sku],
    answer: null,
    status: 204,
    tag: 'offers',
  },
]

const KINDS = {
  offers: `Rows {supplier, sku, eans, cost, currency, quantity, texts, ${NAME_FIELDS.join(', ')}, attributes, images}: absent is unchanged, null clears.`,
  prices: 'Rows {supplier, sku, cost, currency, quantity} of offers that exist: nothing else of them moves.',
  stock:
    'Rows {product_id or sku or ean, quantity, cost}: own stock; a quantity of null takes it away, an absent cost is unchanged.',
  overrides: `Rows {product_id or sku or ean, field, locale, key, value}: field is ${OVERRIDE_FIELDS.join(', ')} or attribute (with key); a value of null shows the suppliers’ again, false hides an attribute.`,
} as const
export const BULK_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[]
export const BulkBody = Type.Object(
  {
    rows: Type.Array(Type.Unknown(), {
      description: 'Up to 100,000; a request of up to 1,000 is answered with a result per row.',
    }),
  },
  { additionalProperties: false },
)

const BULKS: SourceOperation[] = BULK_NAMES.map((kind) => ({
  id: `bulk${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
  method: 'post',
  path: `/v1/account/bulk/${kind}`,
  summary: `Write many ${kind}`,
  description: `${KINDS[kind]} Good rows are kept and bad ones named. Up to 1,000 rows are answered at once, one result each in order; more are taken durably and answered with 202 and an operation. Also as application/x-ndjson, a row per line.`,
  parameters: [
    query('atomic', Type.Boolean({ default: false }), 'Write all rows or none; up to 1,000.'),
    query('dry_run', Type.Boolean({ default: false }), 'Validate exactly like the write, and write nothing.'),
  ],
  body: BulkBody,
  answer: null,
  whole: 'BulkAnswer',
  status: 200,
  tag: 'bulk',
}))

const operationId = inPath('id', false, 'Operation ID.')
const operations = '/v1/account/operations'
const OPERATION_OPERATIONS: SourceOperation[] = [
  {
    id: 'listOperations',
    method: 'get',
    path: operations,
    summary: 'List operations',
    description: 'Newest first; those that ended are kept for 30 days.',
    parameters: [perPage, query('before', Type.Integer({ minimum: 1 }), 'meta.next_before of the page before.')],
    answer: 'Operation',
    isList: true,
    status: 200,
    tag: 'operations',
  },
  {
    id: 'getOperation',
    method: 'get',
    path: `${operations}/{id}`,
    summary: 'Read an operation',
    description: 'State and progress.',
    parameters: [operationId],
    answer: 'Operation',
    status: 200,
    tag: 'operations',
  },
  {
    id: 'listOperationErrors',
    method: 'get',
    path: `${operations}/{id}/errors`,
    summary: 'List rows that were refused',
    description: 'By row ascending.',
    parameters: [
      operationId,
      query('per_page', Type.Integer({ default: 50 }), 'Page size; clamped to 1-1000.'),
      query('after', Type.Integer({ minimum: 0 }), 'meta.next_after of the page before.'),
    ],
    answer: 'OperationError',
    isList: true,
    status: 200,
    tag: 'operations',
  },
  {
    id: 'cancelOperation',
    method: 'post',
    path: `${operations}/{id}/cancel`,
    summary: 'Cancel an operation',
    description:
      'Rows that were written stay; the rest is not. What follows from a write (resolving, deletions) can not be cancelled.',
    parameters: [operationId],
    answer: 'Operation',
    status: 200,
    tag: 'operations',
  },
]

const FINDINGS: SourceOperation[] = [
  {
    id: 'getFindings',
    method: 'get',
    path: '/v1/account/findings',
    summary: 'Read what should be looked at',
    description:
      'EANs and SKUs that collide, offers without a rate, prices that are held back; the first 1,000 of each.',
    parameters: [],
    answer: 'Findings',
    status: 200,
    tag: 'findings',
  },
  {
    id: 'confirmPrices',
    method: 'post',
    path: '/v1/account/findings/confirm-prices',
    summary: 'Let held prices through',
    description: `What is then resolved is shown, whatever it was before. ${WRITES}`,
    parameters: [],
    body: ConfirmBody,
    answer: 'Confirmed',
    status: 200,
    tag: 'findings',
  },
]

const CHANNEL_OPERATIONS: SourceOperation[] = [
  {
    id: 'rotateChannel',
    method: 'post',
    path: '/v1/account/channels/{id}/rotate',
    summary: 'Give a channel file a new address',
    description: 'The old address stops at once; the new one is in the answer, once.',
    parameters: [inPath('id', false, 'ID of the channel file.')],
    answer: 'ChannelSecret',
    status: 200,
    tag: 'channels',
  },
]

/** Channel files are made with an address that is shown once. */
const withSecrets = (list: SourceOperation[]) =>
  list.map((operation) => (operation.id === 'createChannel' ? { ...operation, answer: 'ChannelSecret' } : operation))

export const SOURCE_OPERATIONS: readonly SourceOperation[] = [
  ...ACCOUNT,
  ...withSecrets(SOURCE_RESOURCES.flatMap(ofResource)),
  ...CHANNEL_OPERATIONS,
  ...PRODUCTS,
  ...OFFERS,
  ...BULKS,
  ...OPERATION_OPERATIONS,
  ...FINDINGS,
]

const channel = SOURCE_RESOURCES.find((resource) => resource.path === 'channels')
export const ChannelSecret = Type.Object(
  {
    ...channel?.given,
    ...channel?.fields,
    url: Type.Optional(
      Type.String({
        description:
          'The secret address; shown once, and absent where the answer is repeated under an Idempotency-Key.',
      }),
    ),
  },
  { additionalProperties: false, $id: 'ChannelSecret' },
)

export const SOURCE_SCHEMAS: Readonly<Record<string, Type.TSchema>> = {
  AccountSource,
  ProductSource,
  StockSource,
  OfferSource,
  ChannelSecret,
  Findings,
  Confirmed,
  ...Object.fromEntries(SOURCE_RESOURCES.map((resource) => [resource.schema, representation(resource)])),
}
