import Type, { type Static } from 'typebox'

// Every shape that the read API sends. Types, OpenAPI and the tests' validators come from here.

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Id = (description: string) => Type.Integer({ minimum: 1, format: 'int64', description })
const Timestamp = (description: string) =>
  Type.String({
    description,
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$',
    examples: ['2026-11-20T10:00:00+00:00'],
  })

export const Attribute = Type.Object(
  {
    key: Type.String({ description: 'Stable key.' }),
    label: Type.String({
      description: 'Display label in the store’s locale, with the unit in parentheses where one applies.',
    }),
    value: Type.String({ description: 'Resolved value.' }),
  },
  { $id: 'Attribute' },
)

export const Price = Type.Object(
  {
    customer_group_id: Id('Customer group.'),
    customer_group: Type.String({ description: 'Group name.' }),
    base_cost: Type.Number({
      minimum: 0,
      description: 'What the product costs the merchant, in the store’s currency, at most its minor digits.',
    }),
    computed_price: Type.Number({
      minimum: 0,
      description: 'Price in the store’s currency, at most its minor digits.',
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of the store’s currency.' }),
    applied_rule_id: Id('Pricing rule applied; every account has a default rule.'),
  },
  { $id: 'Price' },
)

/**
 * The content half of a product, in the order in which it is written: src/shelf/encode.ts follows it, and
 * src/resolve/resolve.ts must resolve each member.
 */
export const CONTENT_MEMBERS = {
  id: Id('Stable; usable as a client key.'),
  sku: Nullable(Type.String({ description: 'Exported SKU.' })),
  ean: Nullable(Type.String({ description: 'Primary EAN.' })),
  title: Nullable(
    Type.String({ description: 'In the store’s locale, else in the first of its fallbacks that has one.' }),
  ),
  description: Nullable(
    Type.String({
      description: 'In the store’s locale, else in the first of its fallbacks that has one. May hold HTML.',
    }),
  ),
  manufacturer: Nullable(Type.String()),
  // as they were given: an IRI may have letters that a URI must encode
  images: Type.Array(Type.String({ format: 'iri' }), { description: 'Ordered.' }),
  store: Type.String({ description: 'Slug of the store the payload was resolved for.' }),
  excluded: Type.Boolean({ description: 'True when the product is excluded from this store’s export.' }),
  exclusion_reason: Nullable(
    Type.String({ description: 'Why, when excluded; null otherwise.', examples: ['no_price'] }),
  ),
  attributes: Type.Array(Type.Unsafe<Static<typeof Attribute>>(Type.Ref('Attribute'))),
}

export const Product = Type.Object(
  {
    ...CONTENT_MEMBERS,
    prices: Type.Array(Type.Ref('Price'), {
      description: 'One entry per customer group; empty only when no cost is known.',
    }),
    stock: Type.Integer({ minimum: 0, format: 'int64', description: 'Sellable quantity for the store.' }),
  },
  { $id: 'Product' },
)

export const ProductPrices = Type.Object(
  {
    id: Id('Product.'),
    sku: Nullable(Type.String()),
    prices: Type.Array(Type.Ref('Price')),
    stock: Type.Integer({ minimum: 0, format: 'int64', description: 'Sellable quantity for the store.' }),
  },
  { $id: 'ProductPrices' },
)

export const Store = Type.Object(
  {
    id: Id('Matches store_id of webhook deliveries.'),
    slug: Type.String({ description: 'Value to pass as the store query parameter. Never changes.' }),
    name: Type.String({ description: 'Display name.' }),
    locale: Type.String({ description: 'Content language (BCP 47).' }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency in which prices are returned.' }),
    is_default: Type.Boolean({ description: 'True for the account’s default store.' }),
  },
  { $id: 'Store' },
)

export const ChangeType = Type.Union([Type.Literal('price'), Type.Literal('content'), Type.Literal('removed')], {
  $id: 'ChangeType',
})

export const Change = Type.Object(
  {
    product_id: Id('Product that changed.'),
    change_type: Type.Ref('ChangeType'),
    change_types: Type.Array(Type.Ref('ChangeType'), {
      minItems: 1,
      description: 'Every kind that changed after the cursor that was sent, the latest last.',
    }),
    created_at: Timestamp('When the latest of them was made.'),
  },
  { $id: 'Change' },
)

export const Meta = Type.Object(
  {
    current_page: Type.Integer({
      minimum: 1,
      format: 'int64',
      description: 'Page returned. Past the end: the last page.',
    }),
    per_page: Type.Integer({ minimum: 1, maximum: 200, description: 'Page size used.' }),
    last_page: Type.Integer({ minimum: 1, format: 'int64', description: 'Final page number.' }),
    total: Type.Integer({ minimum: 0, format: 'int64', description: 'Products across all pages.' }),
    next_after_id: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          format: 'int64',
          description: 'With after_id: what to send as the next after_id; null at the end.',
        }),
      ),
    ),
  },
  { $id: 'Meta' },
)

const list = (item: string, $id: string) =>
  Type.Object(
    {
      data: Type.Array(Type.Ref(item)),
      store: Type.String({ description: 'Slug of the store read.' }),
      meta: Type.Ref('Meta'),
    },
    { $id },
  )

export const ProductList = list('Product', 'ProductList')
export const PriceList = list('ProductPrices', 'PriceList')
export const ProductAnswer = Type.Object({ data: Type.Ref('Product') }, { $id: 'ProductAnswer' })
export const PricesAnswer = Type.Object({ data: Type.Ref('ProductPrices') }, { $id: 'PricesAnswer' })
export const StoreList = Type.Object({ data: Type.Array(Type.Ref('Store'), { minItems: 1 }) }, { $id: 'StoreList' })

export const ChangeList = Type.Object(
  {
    changes: Type.Array(Type.Ref('Change'), { description: 'Latest change per product in this window, oldest first.' }),
    next_since: Timestamp('First half of the cursor; sent back as since.'),
    next_id: Type.Integer({
      minimum: 0,
      format: 'int64',
      description: 'Second half of the cursor; sent back as since_id.',
    }),
    store: Type.String({ description: 'Slug of the store read.' }),
    has_more: Type.Boolean({ description: 'False: every change committed before this answer has been sent.' }),
  },
  { $id: 'ChangeList' },
)

/** The body of a webhook delivery. */
export const WebhookDelivery = Type.Object(
  {
    event: Type.Ref('ChangeType'),
    store_id: Nullable(
      Type.Integer({
        minimum: 1,
        format: 'int64',
        description: "Store concerned; null on an endpoint of all stores when the change is not one store's.",
      }),
    ),
    product_ids: Type.Array(Type.Integer({ minimum: 1, format: 'int64' }), {
      maxItems: 500,
      description: 'Products that changed; empty in a test event.',
    }),
    occurred_at: Timestamp('When the change was dispatched.'),
  },
  { $id: 'WebhookDelivery' },
)

/** RFC 9457, with a stable code and the parameters at fault. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Address of the page that explains this kind of problem.' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What is wrong with this request, and what to do.' }),
    code: Type.String({ pattern: '^[a-z]+(-[a-z]+)*$', description: 'Stable, for programs.' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ name: Type.String({ description: 'Parameter at fault.' }), reason: Type.String() })),
    ),
  },
  { $id: 'Problem' },
)

export const SCHEMAS = {
  Attribute,
  Price,
  Product,
  ProductPrices,
  Store,
  ChangeType,
  Change,
  Meta,
  ProductList,
  PriceList,
  ProductAnswer,
  PricesAnswer,
  StoreList,
  ChangeList,
  WebhookDelivery,
  Problem,
} as const

export type ContentBody = Static<Type.TObject<typeof CONTENT_MEMBERS>>
export type ProblemBody = Static<typeof Problem>
