import Type from 'typebox'
import { ATTRIBUTE_TYPES, type AttributeType } from './attribute-types.ts'
import { CONTENT_UNITS, type ContentUnit } from './content-units.ts'
import { descriptionOf, type DimensionField } from './product-fields.ts'

// Parts of a product that have a schema of their own.

const Id = (description: string) => Type.Integer({ minimum: 1, format: 'int64', description })
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Attribute = Type.Object(
  {
    key: Type.String({ description: 'Key of the attribute; it stays the same if the label changes.' }),
    label: Type.String({
      description: 'Display label in the store’s locale, with the unit in parentheses if there is one.',
    }),
    value: Type.String({ description: 'Value in the store’s locale, as text.' }),
    type: Type.Optional(
      Type.Unsafe<AttributeType>({
        type: 'string',
        enum: ATTRIBUTE_TYPES,
        description:
          'Type of the value. Left out, like the members below, if the account’s definition of the attribute states none.',
      }),
    ),
    value_number: Type.Optional(
      Type.Number({
        description:
          'Only with type number: the value as an exact decimal of at most 15 digits. Left out if the value is not clearly a number.',
      }),
    ),
    unit: Type.Optional(
      Type.String({ description: 'Unit of value_number, in the store’s locale. Left out if there is none.' }),
    ),
    value_boolean: Type.Optional(
      Type.Boolean({ description: 'Only with type boolean: the value. Left out if the value is not a boolean.' }),
    ),
    values: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only with type list: the entries in the store’s locale, each once, in order.',
      }),
    ),
  },
  { $id: 'Attribute', description: 'An attribute of a product.' },
)

const Centimetres = (field: DimensionField) =>
  Type.Optional(
    Type.String({
      description: `${descriptionOf(field)}. Left out if it is not known.`,
      pattern: '^\\d{1,6}(\\.\\d{1,6})?$',
      examples: ['30'],
    }),
  )

/** The dimensions of an article: left out if the product has none of the three. */
export const Dimensions = Type.Object(
  { length: Centimetres('length'), width: Centimetres('width'), height: Centimetres('height') } satisfies Record<
    DimensionField,
    Type.TOptional
  >,
  { $id: 'Dimensions', description: 'Dimensions of the article. Left out if all three are unknown.' },
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
        key: Type.String({ description: 'Key of the option; it stays the same if the label changes.' }),
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
  { $id: 'ImageDetails', description: 'Details of a picture of a product.' },
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
  { $id: 'ProductCategory', description: 'A category of the account that contains the product.' },
)

export const CONTENT_UNIT = 'Unit of the reference quantity. Gallons, pints, quarts and ounces are US units.'
const UnitPrice = Type.Object(
  {
    value: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Price of the reference quantity, in the store’s currency, rounded half up to the currency’s minor digits.',
    }),
    unit: Type.Unsafe<ContentUnit>({ type: 'string', enum: CONTENT_UNITS, description: CONTENT_UNIT }),
    reference_quantity: Type.Number({
      exclusiveMinimum: 0,
      description: 'Quantity that the price is for, in the unit: 1, or 100 for a price per 100 ml.',
    }),
  },
  {
    description:
      'Unit price: computed_price per kilogram, litre or metre, from net_content. Left out if no net content is known, or if the unit price would equal computed_price.',
  },
)

/** The price for one customer group in one store. */
export const Price = Type.Object(
  {
    customer_group_id: Id('Customer group ID.'),
    customer_group: Type.String({ description: 'Name of the customer group.' }),
    base_cost: Type.Number({
      minimum: 0,
      description:
        'Cost of the product to the merchant, in the store’s currency, with at most its minor digits. Left out if the token must not see costs.',
    }),
    computed_price: Type.Number({
      minimum: 0,
      description: 'Price in the store’s currency, with at most its minor digits.',
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency of the store (ISO 4217).' }),
    applied_rule_id: Id('ID of the pricing rule that applies; every account has a default rule.'),
    is_default: Type.Optional(
      Type.Boolean({
        description:
          'Whether this is the price of the default customer group: the public price, for shoppers who are not signed in. Only if the account’s additional_members name prices_is_default.',
      }),
    ),
    compare_at_price: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description:
          'During a sale, the price without the sale; otherwise the product’s list price, such as the supplier’s recommended price. In the store’s currency, with at most its minor digits. Left out if there is none, or if it is not above computed_price.',
      }),
    ),
    is_sale: Type.Optional(
      Type.Literal(true, {
        description:
          'true if computed_price is a sale price; compare_at_price is then the price without the sale. Left out otherwise.',
      }),
    ),
    lowest_price_30_days: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'During a sale, the lowest price that the store showed in the 30 days before the sale began; it stays the same while the sale runs. Left out if there is no sale, or if no price of those days is known.',
      }),
    ),
    sale_begins_on: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'First day of the sale, in the account’s time zone. Left out if there is no sale, or if it states none.',
      }),
    ),
    sale_ends_on: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'Last day of the sale, in the account’s time zone. Left out if there is no sale, or if it states none.',
      }),
    ),
    tax_included: Type.Optional(
      Type.Boolean({
        description:
          'Whether computed_price includes tax. This member, tax_rate and tax_class are present only in stores that have a tax_country.',
      }),
    ),
    tax_rate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'Tax rate in percent, such as 19 or 5.5: the rate today of the product’s tax class in the store’s tax_country. Left out if none is known; a price that would include tax is then missing, too.',
      }),
    ),
    tax_class: Type.Optional(Type.String({ description: 'Key of the product’s tax class. Left out if it has none.' })),
    tiers: Type.Optional(
      Type.Array(
        Type.Object({
          quantity: Type.Integer({ minimum: 2, description: 'Minimum number of pieces for this price.' }),
          price: Type.Number({
            exclusiveMinimum: 0,
            description: 'Price of one piece, in the store’s currency; includes tax if computed_price does.',
          }),
        }),
        {
          description:
            'Tier prices: lower prices from a minimum quantity on, with rising quantities and falling prices, all below computed_price unless the rule says otherwise. Left out if there are none.',
        },
      ),
    ),
    unit_price: Type.Optional(UnitPrice),
  },
  { $id: 'Price', description: 'The price of a product for one customer group.' },
)
