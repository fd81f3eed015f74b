import Type from 'typebox'
import { ADDITIONAL_MEMBER_NAMES, describeAdditionalMembers } from './additional-members.ts'
import { OneOf } from './one-of.ts'
import { forEachField, NAME_FIELDS, TEXT_FIELDS } from './product-fields.ts'
import {
  Amount,
  ByLocale,
  closed,
  Decimal,
  echoed,
  formatted,
  Id,
  MUST,
  must,
  Null,
  optional,
  orNull,
  Quantity,
  QuantityGiven,
  resettable,
  Text,
} from './values.ts'

/** The message for a locale's texts that are invalid. */
export const MUST_TEXTS = `must be an object of ${TEXT_FIELDS.join(', ')}`

// What an account sets on single products and on itself, its own stock, and suppliers' offers.

const Timestamp = Type.String({ description: 'UTC, to the second.', ...formatted('date-time') })
const Url = Type.String(formatted('iri'))

const ByPlace = <T extends Type.TSchema>(value: T, words: string, description: string) =>
  Type.Union([Type.Record(Text, Type.Union([value, Null], must(words))), Null], {
    description,
    ...must(MUST.object),
  })

/** The owner's overrides of a product; null shows the suppliers' values again. */
const PRODUCT_FIELDS = {
  sku: orNull(
    Type.String({ description: 'The product’s own key, from which the exported SKU is made unless a pattern is set.' }),
    'must be a string',
  ),
  ean: orNull(Type.String({ description: 'The primary EAN; null: the first supplier’s.' }), MUST.string),
  ...forEachField(TEXT_FIELDS, () =>
    ByLocale('Locale -> text; null in place of one, or of all, shows the suppliers’ again.'),
  ),
  ...forEachField(NAME_FIELDS, () => orNull(Text, MUST.string)),
  category: orNull(Type.String({ description: 'Category path.' }), MUST.string),
  images: Type.Union([Type.Array(Url), Null], {
    description: 'URLs in the order in which they are shown, in place of the suppliers’; an empty list shows none.',
    ...must('must be a list of URLs'),
  }),
  image_alts: Type.Union([Type.Record(Text, ByPlace(Text, MUST.string, 'URL -> what the picture shows.')), Null], {
    description:
      'Locale -> URL of a picture -> what it shows, as a text of at most 1,000 characters; null in place of a text, a locale or all shows the suppliers’ again.',
    ...must('must be an object by locale'),
  }),
  attributes: Type.Union(
    [
      Type.Record(
        Text,
        ByPlace(
          Type.Union([Text, Type.Literal(false)]),
          'must be a string, or false',
          'Locale, or * for every one that is not named -> value; false hides the attribute.',
        ),
      ),
      Null,
    ],
    {
      description: 'Attribute key -> locale, or * for every one that is not named -> value, or false to hide it.',
      ...must('must be an object by attribute key'),
    },
  ),
  listings: ByPlace(
    Type.Boolean(),
    'must be true or false',
    'Store slug -> whether it lists the product, regardless of its assortment rules.',
  ),
  exclusions: ByPlace(
    Text,
    'must be a string',
    'Store slug, or * for every one -> reason for which the product is excluded from its export.',
  ),
  slugs: ByPlace(
    Text,
    'must be a string',
    'Store slug -> the product’s slug there, in place of the one that is made of its title; kept in its normal form, and refused while it is another product’s. What it was before still leads to the product.',
  ),
}

export const ProductCreate = Type.Object(optional(PRODUCT_FIELDS), closed)
const PRODUCT_GIVEN = { id: Id, created_at: Timestamp }
/** Present only if the owner has decided the product's variant group. */
const productGroup = (options: Type.TObjectOptions = {}) => ({
  variant_group: Type.Object(
    { id: Type.Union([Id, Null]) },
    {
      description:
        'The group of variants that you put the product into (see /v1/account/variant-groups), null: you took it out of all. Left out where suppliers decide.',
      ...must(MUST.object),
      ...options,
    },
  ),
})
export const ProductPatch = Type.Object(
  { ...optional(PRODUCT_FIELDS), ...echoed({ ...PRODUCT_GIVEN, ...productGroup(closed) }) },
  closed,
)
export const ProductResource = Type.Object(
  { ...PRODUCT_GIVEN, ...PRODUCT_FIELDS, ...optional(productGroup()) },
  { $id: 'ProductResource' },
)

const PIECES = Quantity('Pieces on hand.')
const STOCK_FIELDS = {
  quantity: QuantityGiven('Pieces on hand.'),
  cost: Amount('What a piece cost, in the account’s currency; null: not known.'),
}
const STOCK_GIVEN = { product_id: Id }
export const StockPut = Type.Object(
  { quantity: STOCK_FIELDS.quantity, cost: Type.Optional(STOCK_FIELDS.cost), ...echoed(STOCK_GIVEN) },
  closed,
)
export const StockPatch = Type.Object({ ...optional(resettable(STOCK_FIELDS)), ...echoed(STOCK_GIVEN) }, closed)
export const StockResource = Type.Object(
  { ...STOCK_GIVEN, ...STOCK_FIELDS, quantity: PIECES },
  { $id: 'StockResource' },
)

const OfferGroup = Type.Object(
  {
    key: Type.String({
      description: 'What the supplier calls the group; all of its offers with this key are one group.',
    }),
    title: Type.Optional(ByLocale('Locale -> title of the group.')),
    options: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key: Text,
            label: Type.Optional(orNull(Text, MUST.string)),
            value: Text,
          },
          closed,
        ),
        { description: 'In what the variants differ, and what this one has, in order.' },
      ),
    ),
    position: Type.Optional(
      orNull(Type.Integer({ description: 'Of this variant in the group, the lowest first.' }), MUST.whole),
    ),
  },
  closed,
)

const MUST_COST_TIERS = 'must be a list of tiers, each with a quantity and a cost'
const CostTier = Type.Object(
  {
    quantity: Type.Integer({ description: 'Pieces from which on it counts: 2 to 1000000.' }),
    cost: Decimal('Of a piece; above 0.'),
  },
  closed,
)

const OFFER_FIELDS = {
  eans: Type.Array(Text, {
    description: 'EANs; a new offer joins the product of another supplier that carries one with a valid check digit.',
  }),
  cost: Amount('Purchase cost of a piece; null: not known.'),
  cost_tiers: orNull(
    Type.Array(CostTier, {
      description:
        'What a piece costs from a quantity on, in the currency of the cost, with tax in it where the cost has it: quantities rise and costs fall; at most 20. A list replaces the whole list; null: none. Rules with `tiers_from_supplier` make prices of them.',
    }),
    MUST_COST_TIERS,
  ),
  currency: Type.String({ description: 'Of the cost; the supplier’s unless set.' }),
  quantity: QuantityGiven('Pieces on hand.'),
  texts: Type.Record(
    Text,
    Type.Union(
      [
        Type.Object(
          forEachField(TEXT_FIELDS, () => Type.Optional(orNull(Text, MUST.string))),
          closed,
        ),
        Null,
      ],
      must(MUST_TEXTS),
    ),
    { description: `Locale -> ${TEXT_FIELDS.join(', ')}; null removes a locale.` },
  ),
  ...forEachField(NAME_FIELDS, () => orNull(Text, MUST.string)),
  attributes: Type.Array(Type.Object({ key: Text, value: Text }, closed), { description: 'In the order shown.' }),
  images: Type.Array(Url, { description: 'URLs in the order shown.' }),
  image_alts: Type.Union(
    [
      Type.Record(
        Text,
        Type.Union([Type.Record(Text, orNull(Text, MUST.string)), Null], must('must be an object by URL')),
      ),
      Null,
    ],
    {
      description:
        'Locale -> URL of one of the pictures -> what it shows, as a text of at most 1,000 characters. A locale that is named is replaced as a whole; null removes it, and in place of all every one.',
      ...must('must be an object by locale'),
    },
  ),
  group: Type.Union([OfferGroup, Null], {
    description: 'The group of variants that the article belongs to; replaced as a whole, null: none.',
    ...must(MUST.object),
  }),
}
const OFFER_GIVEN = {
  supplier: Text,
  sku: Text,
  product_id: Id,
  absent_since: Type.Union([Timestamp, Null], {
    description: 'Since when full files of the supplier do not contain it.',
  }),
}
export const OfferPut = Type.Object({ ...optional(resettable(OFFER_FIELDS)), ...echoed(OFFER_GIVEN) }, closed)
export const OfferPatch = OfferPut
export const OfferResource = Type.Object(
  { ...OFFER_GIVEN, ...OFFER_FIELDS, quantity: PIECES },
  { $id: 'OfferResource' },
)

const ACCOUNT_FIELDS = {
  name: Text,
  locale: Type.String({ description: 'The locale that texts fall back to (BCP 47).' }),
  any_locale: Type.Boolean({
    description: 'Whether a text that neither the store’s locale nor the account’s has is taken from any other one.',
  }),
  time_zone: Type.String({ description: 'IANA name; rules start and end at midnight in it.' }),
  sku_pattern: orNull(
    Type.String({ description: 'Pattern of the exported SKU (docs/rules.md); null: the product’s own key.' }),
    'must be a string',
  ),
  price_jump_factor: Amount(
    'A price that would move by more than this factor is held back until it is confirmed; 3 in a new account; null: prices are never held.',
  ),
  adopt_images: Type.Boolean({
    description:
      'Whether our copy of a picture whose source has been dead for 30 days becomes the account’s own, instead of being left out.',
  }),
  additional_members: Type.Array(
    OneOf(ADDITIONAL_MEMBER_NAMES, must(`must be one of ${ADDITIONAL_MEMBER_NAMES.join(', ')}`)),
    {
      description: `Members that products have beside those that all accounts read. ${describeAdditionalMembers()}.`,
      ...must(`must be a list of ${ADDITIONAL_MEMBER_NAMES.join(', ')}`),
    },
  ),
  rates_from: OneOf(['hand', 'ecb'], {
    description:
      'ecb: the exchange rates that the account has follow the European Central Bank’s, each working day; hand: they are set by hand alone.',
    ...must('must be hand or ecb'),
  }),
  rates_least_change_percent: Decimal(
    'A rate of the bank that differs less from the bank’s rate that was taken over last is not taken over; 0.5 unless set. At most 3 digits before the point and 4 after it.',
  ),
  rates_greatest_change_percent: Decimal(
    'A rate of the bank that differs more from the account’s is held until somebody takes it over, and owners get a notice; 10 unless set. Above the least change.',
  ),
}
const ACCOUNT_GIVEN = { id: Id, currency: Text }
export const AccountPatch = Type.Object({ ...optional(resettable(ACCOUNT_FIELDS)), ...echoed(ACCOUNT_GIVEN) }, closed)
export const AccountSettings = Type.Object({ ...ACCOUNT_GIVEN, ...ACCOUNT_FIELDS }, { $id: 'AccountResource' })

const namesOf = <T extends object>(members: T) => Object.keys(members) as (keyof T & string)[]
/** Members of representations that no body can set. */
export const GIVEN = {
  product: namesOf({ ...PRODUCT_GIVEN, ...productGroup() }),
  stock: namesOf(STOCK_GIVEN),
  offer: namesOf(OFFER_GIVEN),
  account: namesOf(ACCOUNT_GIVEN),
}

export const MergeBody = Type.Object(
  {
    product_ids: Type.Array(Id, {
      minItems: 1,
      description: 'Products that are merged into the one in the path.',
    }),
  },
  closed,
)
export const UngroupBody = Type.Object(
  {
    product_ids: Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'Up to 1,000 products.' }),
    follow_suppliers: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Instead of taking the products out of every group, take back what you said of their groups: suppliers decide again.',
      }),
    ),
  },
  closed,
)
/** The answer to an ungrouping. */
export const Ungrouped = Type.Object(
  { product_ids: Type.Array(Id, { description: 'Those of which something else was said before.' }) },
  { $id: 'Ungrouped' },
)
export const SplitBody = Type.Object(
  {
    offers: Type.Array(Type.Object({ supplier: Type.String({ description: 'Code.' }), sku: Text }, closed), {
      minItems: 1,
      description: 'Offers that become a product of their own.',
    }),
  },
  closed,
)
