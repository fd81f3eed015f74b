import Type, { type Static } from 'typebox'
import type { ContentMember } from './additional-members.ts'
import {
  descriptionOf,
  type DimensionField,
  type OptionalField,
  type PayloadName,
  type TextField,
} from './product-fields.ts'
import { Attribute, Dimensions, ImageDetails, Price, ProductCategory, VariantGroup } from './product-parts.ts'
import { DigestList, ProductTags } from './digest-schemas.ts'
import { Problem } from './problem-schema.ts'
import { NextAfterId } from './values.ts'

// Every schema of the read API. Types, OpenAPI and the tests' validators are derived from it.

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** A field that is left out if the product has no value for it. @param more what the field's description lacks */
const IfAny = (field: Exclude<OptionalField, DimensionField>, options: Type.TStringOptions = {}, more = '') =>
  Type.Optional(
    Type.String({ description: `${descriptionOf(field)}${more}. Left out if the product has none.`, ...options }),
  )
/** A member that every product has in accounts that have chosen it (additional-members.ts). */
const Chosen = <T extends Type.TSchema>(schema: T) =>
  Type.Optional({
    ...schema,
    description: `${(schema as { description?: string }).description} Only if the account’s additional_members name it.`,
  })
const Id = (description: string) => Type.Integer({ minimum: 1, format: 'int64', description })
const ReadStore = Type.String({ description: 'Slug of the store that was read.' })
const Timestamp = (description: string) =>
  Type.String({
    description,
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$',
    examples: ['2026-11-20T10:00:00+00:00'],
  })

/**
 * The content half of a product, in the order in which it is written: src/shelf/encode.ts uses it, and
 * src/resolve/resolve.ts must resolve each member.
 */
export const CONTENT_MEMBERS = {
  id: Id('Product ID. Never changes, so clients can use it as a key.'),
  sku: Nullable(
    Type.String({
      description:
        'Exported SKU: made by the account’s sku_pattern, else the product’s own key; null if there is none.',
    }),
  ),
  ean: Nullable(Type.String({ description: 'Primary EAN; null if none is known.' })),
  title: Nullable(
    Type.String({
      description:
        'Title in the store’s locale, else in the first of its fallback locales that has one; null if there is none.',
    }),
  ),
  description: Nullable(
    Type.String({
      description:
        'Description in the store’s locale, else in the first of its fallback locales that has one; null if there is none. May contain HTML.',
    }),
  ),
  manufacturer: Nullable(Type.String({ description: `${descriptionOf('manufacturer')}; null if none is known.` })),
  // as they were given: an IRI may contain characters that a URI must encode
  images: Type.Array(Type.String({ format: 'iri' }), {
    description: 'URLs of the pictures, in the order in which they are shown.',
  }),
  store: Type.String({ description: 'Slug of the store that this product was resolved for.' }),
  excluded: Type.Boolean({
    description: 'Whether the product is excluded from this store’s export: listed, but not for sale.',
  }),
  exclusion_reason: Nullable(
    Type.String({ description: 'Why the product is excluded; null if it is not.', examples: ['no_price'] }),
  ),
  attributes: Type.Array(Type.Unsafe<Static<typeof Attribute>>(Type.Ref('Attribute')), {
    description: 'Attributes of the product, in the order in which they are shown.',
  }),
  mpn: IfAny('mpn', { examples: ['HS-24-A'] }),
  condition: IfAny('condition', { examples: ['new'] }),
  country_of_origin: IfAny('country_of_origin', { pattern: '^[A-Z]{2}$', examples: ['DE'] }),
  hs_code: IfAny('hs_code', { pattern: '^\\d{6,12}$', examples: ['820110'] }),
  weight: IfAny('weight', { pattern: '^\\d{1,6}(\\.\\d{1,6})?$', examples: ['0.35'] }),
  delivery_time: IfAny(
    'delivery_time',
    { examples: ['2-4 Werktage'] },
    ', in the store’s locale, else in the first of its fallback locales that has one',
  ),
  seo_title: IfAny('seo_title', {}, '; its locale is chosen as for `title`'),
  seo_description: IfAny('seo_description', {}, '; its locale is chosen as for `title`'),
  group: Type.Optional(Type.Unsafe<Static<typeof VariantGroup>>(Type.Ref('VariantGroup'))),
  dimensions: Type.Optional(Type.Unsafe<Static<typeof Dimensions>>(Type.Ref('Dimensions'))),
  eans: Chosen(
    Type.Array(Type.String(), { description: 'All EANs of the product, the primary one first; each GTIN once.' }),
  ),
  categories: Type.Optional(
    Type.Array(Type.Unsafe<Static<typeof ProductCategory>>(Type.Ref('ProductCategory')), {
      minItems: 1,
      description:
        'The account’s categories that contain the product, the most specific first; GET /v1/categories lists the categories above them. Left out if no category contains the product.',
    }),
  ),
  image_details: Chosen(
    Type.Array(Type.Unsafe<Static<typeof ImageDetails>>(Type.Ref('ImageDetails')), {
      description: 'Details of each picture in `images`, in the same order.',
    }),
  ),
  created_at: Chosen(Timestamp('When the product was created in the account.')),
  slug: Chosen(
    Type.String({
      minLength: 1,
      maxLength: 100,
      examples: ['steel-hammer-300-g'],
      description:
        'Part of a URL that identifies the product in a shop: letters and digits of any script in lower case, joined by hyphens. Unique in the store; made from the product’s first title there and kept when the title changes; `product-` and the ID while there is no title. GET /v1/products?slug= finds the product by this slug and by its earlier ones.',
    }),
  ),
  net_content: IfAny('net_content', { examples: ['750 ml', '6 x 0.33 l'] }),
  // stays last: src/shelf/payloads/diff.ts appends it to the resolved members
  updated_at: Chosen(
    Timestamp('When anything of this product other than prices and stock last changed in this store.'),
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
  { $id: 'ProductTexts', description: 'Texts of a product in one locale, as a store with that locale shows them.' },
)

const PRICE_HALF = {
  prices: Type.Array(Type.Ref('Price'), {
    description:
      'One price per customer group; empty if the product has no price: no cost is known, a rate is missing, or the price would be a 0 that no rule states.',
  }),
  stock: Type.Integer({ minimum: 0, format: 'int64', description: 'Pieces that the store can sell.' }),
}

/** A finished product of a store: the content half with its prices and stock. */
export const Product = Type.Object(
  {
    ...CONTENT_MEMBERS,
    ...PRICE_HALF,
    texts: Type.Optional(
      Type.Record(Type.String(), Type.Ref('ProductTexts'), {
        description:
          'Only with locales=all: the product’s texts by locale, for each active store that lists the product. All other members are those of the store that is read.',
      }),
    ),
  },
  { $id: 'Product', description: 'A finished product of a store: its content, its prices and its stock.' },
)

/** Members of a product in their order, which a client can select. */
export const PRODUCT_MEMBERS = Object.keys(Product.properties).filter((name) => name !== 'texts') as readonly Exclude<
  keyof typeof Product.properties,
  'texts'
>[]

/** The price half of a product in a store. */
export const ProductPrices = Type.Object(
  {
    id: Id('Product ID.'),
    sku: CONTENT_MEMBERS.sku,
    ...PRICE_HALF,
  },
  { $id: 'ProductPrices', description: 'Prices and stock of a product in a store.' },
)

export const Store = Type.Object(
  {
    id: Id('Store ID; webhook deliveries send it as store_id.'),
    slug: Type.String({ description: 'Slug of the store: the value of the `store` query parameter. Never changes.' }),
    name: Type.String({ description: 'Display name of the store.' }),
    locale: Type.String({ description: 'Content language (BCP 47).' }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency of the store’s prices (ISO 4217).' }),
    is_default: Type.Boolean({ description: 'Whether this is the account’s default store.' }),
  },
  { $id: 'Store', description: 'An active store of the account.' },
)

export const CustomerGroup = Type.Object(
  {
    id: Id('Customer group ID; prices refer to it as customer_group_id.'),
    name: Type.String({ description: 'Name of the customer group, as in customer_group of prices.' }),
    is_default: Type.Boolean({
      description: 'Whether this is the default group, whose prices shoppers see who are not signed in.',
    }),
  },
  { $id: 'CustomerGroup', description: 'A group of customers, for which each product has a price.' },
)

export const ChangeType = Type.Union([Type.Literal('price'), Type.Literal('content'), Type.Literal('removed')], {
  $id: 'ChangeType',
  description:
    'Kind of a change. price: of prices or stock; content: of anything else of the product, including `excluded`; removed: the product left the store’s catalog.',
})

/** The latest change of a product in the change feed. */
export const Change = Type.Object(
  {
    product_id: Id('ID of the product that changed.'),
    change_type: Type.Ref('ChangeType'),
    change_types: Type.Array(Type.Ref('ChangeType'), {
      minItems: 1,
      description: 'All kinds of changes to this product since the cursor that was sent, the latest last.',
    }),
    created_at: Timestamp('When the latest of these changes was made.'),
  },
  { $id: 'Change', description: 'The latest change of a product in the change feed.' },
)

export const Meta = Type.Object(
  {
    current_page: Type.Integer({
      minimum: 1,
      format: 'int64',
      description: 'Number of the returned page; the last page if a later one was requested.',
    }),
    per_page: Type.Integer({ minimum: 1, maximum: 200, description: 'Page size that was applied.' }),
    last_page: Type.Integer({ minimum: 1, format: 'int64', description: 'Number of the last page.' }),
    total: Type.Integer({ minimum: 0, format: 'int64', description: 'Number of products on all pages.' }),
    next_after_id: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          format: 'int64',
          description: 'Only in a request with after_id: value of after_id for the next page; null on the last page.',
        }),
      ),
    ),
  },
  { $id: 'Meta', description: 'Position of the page in the list.' },
)

const list = (item: string, $id: string, description: string) =>
  Type.Object(
    {
      data: Type.Array(Type.Ref(item)),
      store: ReadStore,
      meta: Type.Ref('Meta'),
    },
    { $id, description },
  )

export const ProductList = list('Product', 'ProductList', 'A page of products of a store.')
export const PriceList = list('ProductPrices', 'PriceList', 'A page of prices and stock of products in a store.')
export const ProductAnswer = Type.Object(
  { data: Type.Ref('Product') },
  { $id: 'ProductAnswer', description: 'One product of a store.' },
)
export const PricesAnswer = Type.Object(
  { data: Type.Ref('ProductPrices') },
  { $id: 'PricesAnswer', description: 'Prices and stock of one product in a store.' },
)
export const CustomerGroupList = Type.Object(
  { data: Type.Array(Type.Ref('CustomerGroup'), { minItems: 1 }) },
  { $id: 'CustomerGroupList', description: 'All customer groups of the account.' },
)
const GROUP_MEMBERS = {
  id: Id('Group ID; products refer to it as `group.id`.'),
  key: Type.String({ description: 'Key of the group, as its first product shows it.' }),
  title: Nullable(
    Type.String({
      description: 'Title of the group, as its first product shows it, in the store’s locale; null if there is none.',
    }),
  ),
}
const GROUP_DESCRIPTION = Nullable(
  Type.String({
    description: 'Description of the group’s first product, in the store’s locale; null if there is none.',
  }),
)
export const VariantGroupList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...GROUP_MEMBERS,
        products: Type.Integer({
          minimum: 1,
          maximum: 1_000,
          description: 'Number of the group’s products that the store lists; at most 1,000 are counted.',
        }),
        leading_product_id: Id(
          'ID of the group’s first product: the one with the lowest position, then with the lowest ID.',
        ),
        description: GROUP_DESCRIPTION,
        image: Nullable(
          Type.String({ description: 'URL of the first picture of the group’s first product; null if there is none.' }),
        ),
      }),
      { description: 'Variant groups of which the store lists a product, by ID ascending.' },
    ),
    store: ReadStore,
    meta: Type.Object(
      {
        per_page: Type.Integer({ minimum: 1, maximum: 200, description: 'Page size that was applied.' }),
        next_after_id: NextAfterId,
      },
      { description: 'Position of the page in the list.' },
    ),
  },
  { $id: 'VariantGroupList', description: 'A page of variant groups of which the store lists a product.' },
)
export const VariantGroupAnswer = Type.Object(
  {
    data: Type.Object(
      {
        ...GROUP_MEMBERS,
        products: Type.Array(Type.Ref('Product'), {
          description: 'Products of the group that the store lists, by position and then by ID; those of this page.',
        }),
        description: GROUP_DESCRIPTION,
        options: Type.Array(
          Type.Object({
            key: Type.String({ description: 'Key of the option; it stays the same if the label changes.' }),
            label: Type.String({ description: 'Display label in the store’s locale.' }),
            values: Type.Array(Type.String(), {
              description: 'Values of the option, each once, in the order of the products.',
            }),
          }),
          {
            description:
              'Options in which the variants differ: of all of the group’s products that the store lists, not only those on this page.',
          },
        ),
        images: Type.Array(
          Type.Object({
            url: Type.String({ description: 'URL of the picture.' }),
            product_ids: Type.Array(Id('ID of a product that shows the picture.'), {
              description: 'IDs of the products that show the picture.',
            }),
            first_of: Type.Array(Id('ID of one of these products that shows the picture first.'), {
              description: 'IDs of those of these products that show the picture first.',
            }),
            details: Type.Optional(Type.Unsafe<Static<typeof ImageDetails>>(Type.Ref('ImageDetails'))),
          }),
          {
            description:
              'Pictures of all of the group’s products that the store lists, each once, in the order of the products; at most 1,000. `details` is present only if the account’s additional_members name image_details.',
          },
        ),
      },
      { description: 'The variant group.' },
    ),
    store: ReadStore,
    meta: Type.Ref('Meta'),
  },
  { $id: 'VariantGroupAnswer', description: 'A variant group with a page of its products.' },
)
export const CategoryList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Id('Category ID; products refer to it as `categories[].id`.'),
        parent_id: Nullable(Id('ID of the nearest category above this one; null if there is none.')),
        name: Type.String({
          description:
            'Name of the category in the store’s locale, else in the first of its fallback locales that has one, else the last level of its path.',
        }),
        path: Type.String({ description: 'Path of the category, as in `categories[].path` of products.' }),
        external_id: Nullable(
          Type.String({ description: 'Your shop’s ID of the category; null if you have set none.' }),
        ),
        position: Type.Integer({
          description: 'Position among the categories with the same parent: the lowest comes first.',
        }),
      }),
      { description: 'All categories of the account; each follows its parent.' },
    ),
    store: ReadStore,
  },
  { $id: 'CategoryList', description: 'The category tree of the account.' },
)
export const StoreList = Type.Object(
  { data: Type.Array(Type.Ref('Store'), { minItems: 1 }) },
  { $id: 'StoreList', description: 'All active stores of the account.' },
)

export const ChangeList = Type.Object(
  {
    changes: Type.Array(Type.Ref('Change'), {
      description: 'Latest change of each product in this part of the feed, oldest first.',
    }),
    next_since: Timestamp('First half of the next cursor: send it as `since`.'),
    next_id: Type.Integer({
      minimum: 0,
      format: 'int64',
      description: 'Second half of the next cursor: send it as `since_id`.',
    }),
    store: ReadStore,
    products: Type.Optional(
      Type.Array(Type.Ref('Product'), {
        description:
          'Only with expand=products: those products of these changes that the store lists, as they are now, in the same order.',
      }),
    ),
    has_more: Type.Boolean({
      description:
        'Whether there are more changes to read; false if every change committed before this answer has been sent.',
    }),
  },
  { $id: 'ChangeList', description: 'A part of the change feed of a store.' },
)

/** The body of a webhook delivery. */
export const WebhookDelivery = Type.Object(
  {
    event: Type.Ref('ChangeType'),
    store_id: Nullable(
      Type.Integer({
        minimum: 1,
        format: 'int64',
        description:
          'ID of the store in which the products changed; null for an endpoint of all stores if the change is not specific to one store.',
      }),
    ),
    product_ids: Type.Array(Type.Integer({ minimum: 1, format: 'int64' }), {
      maxItems: 500,
      description: 'IDs of the products that changed; empty in a test event.',
    }),
    occurred_at: Timestamp('When the change was dispatched.'),
  },
  { $id: 'WebhookDelivery', description: 'Body of a webhook request.' },
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
