import Type from 'typebox'
import { ATTRIBUTE_TYPES, type AttributeType } from './attribute-types.ts'
import { CONTENT_UNITS, type ContentUnit } from './content-units.ts'
import type { DimensionField } from './product-fields.ts'

// Parts of a product that have a schema of their own.

const Id = (description: string) => Type.Integer({ minimum: 1, format: 'int64', description })
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Attribute = Type.Object(
  {
    key: Type.String({ description: 'Stable key.' }),
    label: Type.String({
      description: 'Display label in the store’s locale, with the unit in parentheses where one applies.',
    }),
    value: Type.String({ description: 'Resolved value.' }),
    type: Type.Optional(
      Type.Unsafe<AttributeType>({
        type: 'string',
        enum: ATTRIBUTE_TYPES,
        description: 'Left out where the account’s definition of the attribute states none; so are the members below.',
      }),
    ),
    value_number: Type.Optional(
      Type.Number({
        description: 'Of a number: the exact decimal, at most 15 digits. Left out where the value is none for certain.',
      }),
    ),
    unit: Type.Optional(Type.String({ description: 'Of value_number, in the store’s locale, where there is one.' })),
    value_boolean: Type.Optional(Type.Boolean({ description: 'Of a boolean; left out where the value is none.' })),
    values: Type.Optional(
      Type.Array(Type.String(), { description: 'Of a list: its entries in the store’s locale, each once, in order.' }),
    ),
  },
  { $id: 'Attribute' },
)

const Centimetres = (of: string) =>
  Type.Optional(
    Type.String({
      description: `${of} in centimetres, a plain decimal above 0. Left out where it is not known.`,
      pattern: '^\\d{1,6}(\\.\\d{1,6})?$',
      examples: ['30'],
    }),
  )

/** The dimensions of an article: left out if the product has none of the three. */
export const Dimensions = Type.Object(
  { length: Centimetres('Length'), width: Centimetres('Width'), height: Centimetres('Height') } satisfies Record<
    DimensionField,
    Type.TOptional
  >,
  { $id: 'Dimensions', description: 'How large the article is. Left out where the product has none of the three.' },
)

/** The variant group of a product: left out if it is in none. */
export const VariantGroup = Type.Object(
  {
    id: Id('ID of the group: the same for all of its variants, whichever suppliers offer them; see GET /v1/groups.'),
    key: Type.String({
      description:
        'Key of the group, from the product’s first supplier that states a group; for a group made by hand, its ID.',
    }),
    title: Nullable(
      Type.String({
        description:
          'Title of the group in the store’s locale, else in the first of its fallback locales that has one; null if there is none.',
      }),
    ),
    position: Type.Integer({
      minimum: 0,
      description:
        'Position among the variants: the lowest comes first; variants with the same position are ordered by product ID.',
    }),
    options: Type.Array(
      Type.Object({
        key: Type.String({ description: 'Stable key.' }),
        label: Type.String({ description: 'Display label in the store’s locale.' }),
        value: Type.String({ description: 'Value of this variant.' }),
        position: Type.Integer({ minimum: 1, description: 'Position among the options, from 1.' }),
      }),
      { description: 'Options in which the variants differ, such as size and color, in order.' },
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
          'Alternative text: what the picture shows, in the store’s locale, else in the first of its fallback locales that has one. Plain text: escape it for HTML. null if there is none.',
      }),
    ),
    width: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Width in pixels, as displayed (after any rotation); null if is_mirrored is false.',
      }),
    ),
    height: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Height in pixels, as displayed (after any rotation); null if is_mirrored is false.',
      }),
    ),
    type: Nullable(
      Type.String({
        description: 'Media type, detected from the content; null if is_mirrored is false.',
        examples: ['image/jpeg'],
      }),
    ),
    hash: Nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 of the file, in hexadecimal; null if is_mirrored is false.',
      }),
    ),
    is_mirrored: Type.Boolean({ description: 'Whether the URL is that of the service’s own copy of the picture.' }),
  },
  { $id: 'ImageDetails' },
)

/** A category of the account that contains the product: left out if it is in none. */
export const ProductCategory = Type.Object(
  {
    id: Id('Category ID, as in GET /v1/categories.'),
    path: Type.String({
      description:
        'Names of the categories from the top level down, in the store’s locale, joined by ` > `; a `>` in a name is shown as `›`.',
      examples: ['Garden > Soil'],
    }),
    external_id: Nullable(Type.String({ description: 'Your shop’s ID of the category; null if you have set none.' })),
  },
  { $id: 'ProductCategory' },
)

const UnitPrice = Type.Object(
  {
    value: Type.Number({
      exclusiveMinimum: 0,
      description: 'What computed_price comes to, in the store’s currency, half up to its minor digits.',
    }),
    unit: Type.Unsafe<ContentUnit>({ type: 'string', enum: CONTENT_UNITS }),
    reference_quantity: Type.Number({
      exclusiveMinimum: 0,
      description: 'How much of the unit it is for: 1, or 100 for 100 ml.',
    }),
  },
  {
    description:
      'What computed_price comes to per kilogram, litre or metre, by net_content. Left out where no content is known, and where it would be computed_price itself.',
  },
)

/** The price for one customer group in one store. */
export const Price = Type.Object(
  {
    customer_group_id: Id('Customer group.'),
    customer_group: Type.String({ description: 'Group name.' }),
    base_cost: Type.Number({
      minimum: 0,
      description:
        'What the product costs the merchant, in the store’s currency, at most its minor digits. Left out for a token that sees no costs.',
    }),
    computed_price: Type.Number({
      minimum: 0,
      description: 'Price in the store’s currency, at most its minor digits.',
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of the store’s currency.' }),
    applied_rule_id: Id('Pricing rule applied; every account has a default rule.'),
    is_default: Type.Optional(
      Type.Boolean({
        description:
          'Whether it is the price of the default customer group: the public one, of shoppers who are not signed in. Only where the account’s additional_members name prices_is_default.',
      }),
    ),
    compare_at_price: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description:
          'In a sale the price without it; else the product’s list price, such as the supplier’s recommended one, in the store’s currency, at most its minor digits. Left out where there is none, and where it is not above computed_price.',
      }),
    ),
    is_sale: Type.Optional(
      Type.Literal(true, {
        description: 'computed_price is that of a sale, and compare_at_price the price without it. Left out otherwise.',
      }),
    ),
    lowest_price_30_days: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'In a sale the lowest price in the 30 days before it began, as the store showed it; the same while the sale runs. Left out where no sale is in force, and where no price of that time is known.',
      }),
    ),
    sale_begins_on: Type.Optional(
      Type.String({
        format: 'date',
        description: 'In a sale its first day, if one is stated; days are the account’s.',
      }),
    ),
    sale_ends_on: Type.Optional(
      Type.String({ format: 'date', description: 'In a sale its last day, if one is stated.' }),
    ),
    tax_included: Type.Optional(
      Type.Boolean({
        description:
          'Whether computed_price has tax in it. Only in stores that have a tax_country, as tax_rate and tax_class.',
      }),
    ),
    tax_rate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'The rate of tax in percent, such as 19 or 5.5: of the product’s tax class in the store’s country on this day. Left out where none is known; a price that would have it in it is then missing, too.',
      }),
    ),
    tax_class: Type.Optional(
      Type.String({ description: 'The key of the product’s tax class. Left out where it is in none.' }),
    ),
    tiers: Type.Optional(
      Type.Array(
        Type.Object({
          quantity: Type.Integer({ minimum: 2, description: 'Pieces from which on one costs `price`.' }),
          price: Type.Number({
            exclusiveMinimum: 0,
            description: 'Of one piece, in the store’s currency, with the tax that computed_price has in it.',
          }),
        }),
        {
          description:
            'Prices from a quantity on, by rising quantity and falling price, all below computed_price unless the rule says otherwise. Left out where there are none.',
        },
      ),
    ),
    unit_price: Type.Optional(UnitPrice),
  },
  { $id: 'Price' },
)
