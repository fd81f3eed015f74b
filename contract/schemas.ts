import Type, { type Static } from 'typebox'
import type { ContentMember } from './additional-members.ts'
import type { DimensionField, OptionalField, PayloadName, TextField } from './product-fields.ts'
import { Attribute, Dimensions, Price } from './product-parts.ts'
import { DigestList, ProductTags } from './digest-schemas.ts'

// Every schema of the read API. Types, OpenAPI and the tests' validators are derived from it.

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** A text member that is left out if the product has no value for it. */
const IfAny = (description: string, options: Type.TStringOptions = {}) =>
  Type.Optional(Type.String({ description: `${description} Left out where the product has none.`, ...options }))
/** A member that every product has in accounts that have chosen it (additional-members.ts). */
const Chosen = <T extends Type.TSchema>(schema: T) =>
  Type.Optional({
    ...schema,
    description: `${(schema as { description?: string }).description} Only where the account’s additional_members name it.`,
  })
const Id = (description: string) => Type.Integer({ minimum: 1, format: 'int64', description })
const Timestamp = (description: string) =>
  Type.String({
    description,
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$',
    examples: ['2026-11-20T10:00:00+00:00'],
  })

/** The variant group of a product: left out if it is in none. */
export const VariantGroup = Type.Object(
  {
    id: Id('The same for all variants of the group, whichever suppliers have them; see GET /v1/groups.'),
    key: Type.String({
      description: 'What the product’s first supplier that states a group calls it; of a group by hand its ID.',
    }),
    title: Nullable(Type.String({ description: 'Of the group, in the store’s locale or the first of its fallbacks.' })),
    position: Type.Integer({
      minimum: 0,
      description: 'Among the variants: the lowest comes first, then the lowest id.',
    }),
    options: Type.Array(
      Type.Object({
        key: Type.String({ description: 'Stable key.' }),
        label: Type.String({ description: 'Display label in the store’s locale.' }),
        value: Type.String({ description: 'What this variant has.' }),
        position: Type.Integer({ minimum: 1, description: 'Among the options.' }),
      }),
      { description: 'In what the variants differ, in order.' },
    ),
  },
  {
    $id: 'VariantGroup',
    description: 'The group of variants that a product belongs to: one article in several versions.',
  },
)

/** Details of one picture of a product. What is known only of our copy is null if the URL is not that of our copy. */
export const ImageDetails = Type.Object(
  {
    alt: Nullable(
      Type.String({
        maxLength: 1_000,
        description:
          'What the picture shows, in the store’s locale or the first of its fallbacks that has it: plain text, which may have signs of HTML. null: nobody has said it.',
      }),
    ),
    width: Nullable(Type.Integer({ minimum: 1, description: 'Pixels, as it is shown.' })),
    height: Nullable(Type.Integer({ minimum: 1, description: 'Pixels, as it is shown.' })),
    type: Nullable(Type.String({ description: 'Media type, told by the content.', examples: ['image/jpeg'] })),
    hash: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, in hexadecimal.' })),
    is_mirrored: Type.Boolean({ description: 'Whether the URL is that of our copy.' }),
  },
  { $id: 'ImageDetails' },
)

/** A category of the account that contains the product: left out if it is in none. */
export const ProductCategory = Type.Object(
  {
    id: Id('See GET /v1/categories.'),
    path: Type.String({
      description: 'Names from the top, in the store’s locale, joined by ` > `; a `>` in a name is shown as `›`.',
      examples: ['Garden > Soil'],
    }),
    external_id: Nullable(Type.String({ description: 'Your shop’s own ID of it, if you have set one.' })),
  },
  { $id: 'ProductCategory' },
)

/**
 * The content half of a product, in the order in which it is written: src/shelf/encode.ts uses it, and
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
  // as they were given: an IRI may contain characters that a URI must encode
  images: Type.Array(Type.String({ format: 'iri' }), { description: 'Ordered.' }),
  store: Type.String({ description: 'Slug of the store the payload was resolved for.' }),
  excluded: Type.Boolean({ description: 'True when the product is excluded from this store’s export.' }),
  exclusion_reason: Nullable(
    Type.String({ description: 'Why, when excluded; null otherwise.', examples: ['no_price'] }),
  ),
  attributes: Type.Array(Type.Unsafe<Static<typeof Attribute>>(Type.Ref('Attribute'))),
  mpn: IfAny('Manufacturer’s part number.', { examples: ['HS-24-A'] }),
  condition: IfAny('One of new, refurbished, used, damaged.', { examples: ['new'] }),
  country_of_origin: IfAny('ISO 3166-1 alpha-2.', { pattern: '^[A-Z]{2}$', examples: ['DE'] }),
  hs_code: IfAny('Customs tariff number: 6 to 12 digits.', { pattern: '^\\d{6,12}$', examples: ['820110'] }),
  weight: IfAny('In kilograms, a plain decimal above 0.', {
    pattern: '^\\d{1,6}(\\.\\d{1,6})?$',
    examples: ['0.35'],
  }),
  delivery_time: IfAny('As the supplier says it, in the store’s locale or the first of its fallbacks that has one.', {
    examples: ['2-4 Werktage'],
  }),
  seo_title: IfAny('For search engines; the locale as of `title`.'),
  seo_description: IfAny('For search engines; the locale as of `title`.'),
  group: Type.Optional(Type.Unsafe<Static<typeof VariantGroup>>(Type.Ref('VariantGroup'))),
  dimensions: Type.Optional(Type.Unsafe<Static<typeof Dimensions>>(Type.Ref('Dimensions'))),
  eans: Chosen(
    Type.Array(Type.String(), { description: 'All EANs of the product, the primary one first; each GTIN once.' }),
  ),
  categories: Type.Optional(
    Type.Array(Type.Unsafe<Static<typeof ProductCategory>>(Type.Ref('ProductCategory')), {
      minItems: 1,
      description:
        'The account’s categories that the product is in, the most specific first; those above them are in GET /v1/categories. Left out where it is in none.',
    }),
  ),
  image_details: Chosen(
    Type.Array(Type.Unsafe<Static<typeof ImageDetails>>(Type.Ref('ImageDetails')), {
      description: 'Of each entry of `images`, in the same order.',
    }),
  ),
  created_at: Chosen(Timestamp('When the product was made in the account.')),
  slug: Chosen(
    Type.String({
      minLength: 1,
      maxLength: 100,
      examples: ['steel-hammer-300-g'],
      description:
        'Address of the product in a shop: letters and digits of any script in lower case, joined by hyphens. Unique in the store, made of the first title there, and the same when the title changes; `product-` with the ID while there is none. GET /v1/products?slug= finds the product by it, and by those that it had before.',
    }),
  ),
  net_content: IfAny('What the package contains, in all its parts: a quantity with its unit.', {
    examples: ['750 ml', '6 x 0.33 l'],
  }),
  // stays last: src/shelf/payloads/diff.ts appends it to the resolved members
  updated_at: Chosen(
    Timestamp('When a member of this product other than prices and stock last changed in this store.'),
  ),
} satisfies Record<Exclude<PayloadName | TextField, OptionalField>, Type.TSchema> &
  Record<Exclude<OptionalField, DimensionField> | ContentMember, Type.TOptional> &
  Record<string, Type.TSchema>

/** Members that depend on the store's locale and on no other setting of the store. */
export const LOCALE_MEMBERS = [
  'title',
  'description',
  'attributes',
  'delivery_time',
  'seo_title',
  'seo_description',
  'group',
  'categories',
  'image_details',
] as const satisfies readonly (keyof typeof CONTENT_MEMBERS)[]

export const ProductTexts = Type.Object(
  Type.Partial(Type.Pick(Type.Object(CONTENT_MEMBERS), LOCALE_MEMBERS)).properties,
  { $id: 'ProductTexts', description: 'What a product is called in one locale, as a store of that locale shows it.' },
)

/** A finished product of a store: the content half with its prices and stock. */
export const Product = Type.Object(
  {
    ...CONTENT_MEMBERS,
    prices: Type.Array(Type.Ref('Price'), {
      description: 'One entry per customer group; empty only when no cost is known.',
    }),
    stock: Type.Integer({ minimum: 0, format: 'int64', description: 'Sellable quantity for the store.' }),
    texts: Type.Optional(
      Type.Record(Type.String(), Type.Ref('ProductTexts'), {
        description:
          'With locales=all: by the locale of each active store that lists the product. Other members are those of the store that is read.',
      }),
    ),
  },
  { $id: 'Product' },
)

/** Members of a product in their order, which a client can select. */
export const PRODUCT_MEMBERS = Object.keys(Product.properties).filter((name) => name !== 'texts') as readonly Exclude<
  keyof typeof Product.properties,
  'texts'
>[]

/** The price half of a product in a store. */
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

export const CustomerGroup = Type.Object(
  {
    id: Id('Matches customer_group_id of prices.'),
    name: Type.String({ description: 'As customer_group of prices says it.' }),
    is_default: Type.Boolean({ description: 'True for the group of shoppers who are not signed in.' }),
  },
  { $id: 'CustomerGroup' },
)

export const ChangeType = Type.Union([Type.Literal('price'), Type.Literal('content'), Type.Literal('removed')], {
  $id: 'ChangeType',
})

/** The latest change of a product in the change feed. */
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
export const CustomerGroupList = Type.Object(
  { data: Type.Array(Type.Ref('CustomerGroup'), { minItems: 1 }) },
  { $id: 'CustomerGroupList' },
)
const GROUP_MEMBERS = {
  id: Id('Matches `group.id` of products.'),
  key: Type.String({ description: 'As the first product of the group shows it.' }),
  title: Nullable(Type.String({ description: 'As the first product of the group shows it, in the store’s locale.' })),
}
const GROUP_DESCRIPTION = Nullable(Type.String({ description: 'That of the first product, in the store’s locale.' }))
export const VariantGroupList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...GROUP_MEMBERS,
        products: Type.Integer({
          minimum: 1,
          maximum: 1_000,
          description: 'How many the store lists; at most 1,000 are counted.',
        }),
        leading_product_id: Id('The first of them: the lowest position, then the lowest ID.'),
        description: GROUP_DESCRIPTION,
        image: Nullable(Type.String({ description: 'The first picture of the first product.' })),
      }),
    ),
    store: Type.String({ description: 'Slug of the store read.' }),
    meta: Type.Object({
      per_page: Type.Integer({ minimum: 1, maximum: 200, description: 'Page size used.' }),
      next_after_id: Nullable(
        Type.Integer({
          minimum: 1,
          format: 'int64',
          description: 'What to send as the next after_id; null at the end.',
        }),
      ),
    }),
  },
  { $id: 'VariantGroupList' },
)
export const VariantGroupAnswer = Type.Object(
  {
    data: Type.Object({
      ...GROUP_MEMBERS,
      products: Type.Array(Type.Ref('Product')),
      description: GROUP_DESCRIPTION,
      options: Type.Array(
        Type.Object({
          key: Type.String({ description: 'Stable key.' }),
          label: Type.String({ description: 'Display label in the store’s locale.' }),
          values: Type.Array(Type.String(), { description: 'Each once, in the order of the products.' }),
        }),
        { description: 'In what the variants differ: all that the store lists of the group, whatever page is read.' },
      ),
      images: Type.Array(
        Type.Object({
          url: Type.String(),
          product_ids: Type.Array(Id('A product that shows it.')),
          first_of: Type.Array(Id('One of them of which it is the first picture.')),
          details: Type.Optional(Type.Unsafe<Static<typeof ImageDetails>>(Type.Ref('ImageDetails'))),
        }),
        {
          description:
            'The pictures of all its products that the store lists, each once, in the order of the products; at most 1,000. `details` are there where the account’s additional_members name image_details.',
        },
      ),
    }),
    store: Type.String({ description: 'Slug of the store read.' }),
    meta: Type.Ref('Meta'),
  },
  { $id: 'VariantGroupAnswer' },
)
export const CategoryList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Id('Matches `categories[].id` of products.'),
        parent_id: Nullable(Id('The nearest category above it.')),
        name: Type.String({
          description:
            'In the store’s locale or the first of its fallbacks that has one, else the last level of its path.',
        }),
        path: Type.String({ description: 'As `categories[].path` of products.' }),
        external_id: Nullable(Type.String({ description: 'Your shop’s own ID of it, if you have set one.' })),
        position: Type.Integer({ description: 'Among categories with the same parent: the lowest comes first.' }),
      }),
    ),
    store: Type.String({ description: 'Slug of the store read.' }),
  },
  { $id: 'CategoryList' },
)
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
    products: Type.Optional(
      Type.Array(Type.Ref('Product'), {
        description:
          'With expand=products: the products of these changes that the store lists, in the same order, as they are now.',
      }),
    ),
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
    quota: Type.Optional(
      Type.Object(
        {
          budget: Type.String({ description: 'As `GET /account/limits` names it.' }),
          used: Type.Union([Type.Integer(), Type.Null()], { description: 'Null where it changes all the time.' }),
          limit: Type.Integer(),
          raised_by: Type.Literal('operator', { description: 'Who can raise the limit.' }),
        },
        { description: 'Of `quota-exceeded`: the budget that is used up.' },
      ),
    ),
  },
  { $id: 'Problem' },
)

export const SCHEMAS = {
  Attribute,
  Dimensions,
  VariantGroup,
  ProductCategory,
  ImageDetails,
  Price,
  ProductTexts,
  Product,
  ProductPrices,
  Store,
  CustomerGroup,
  ChangeType,
  Change,
  Meta,
  ProductList,
  PriceList,
  ProductAnswer,
  PricesAnswer,
  StoreList,
  CustomerGroupList,
  VariantGroupList,
  VariantGroupAnswer,
  CategoryList,
  ChangeList,
  DigestList,
  ProductTags,
  WebhookDelivery,
  Problem,
} as const

export type ContentBody = Static<Type.TObject<typeof CONTENT_MEMBERS>>
export type ProblemBody = Static<typeof Problem>
