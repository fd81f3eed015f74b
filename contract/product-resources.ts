import Type from 'typebox'
import { ADDITIONAL_MEMBER_NAMES, describeAdditionalMembers } from './additional-members.ts'
import { OneOf } from './one-of.ts'
import { descriptionOf, forEachField, NAME_FIELDS, TEXT_FIELDS, valuesOf, type NameField } from './product-fields.ts'
import {
  AccountCurrency,
  AccountLocale,
  Amount,
  ByLocale,
  closed,
  Decimal,
  described,
  echoed,
  formatted,
  GivenId,
  Id,
  MUST,
  must,
  NameOf,
  Null,
  optional,
  orNull,
  ProductId,
  Quantity,
  QuantityGiven,
  resettable,
  SupplierCode,
  SupplierSku,
  Text,
} from './values.ts'

/** The message for a locale's texts that are invalid. */
export const MUST_TEXTS = `must be an object of ${TEXT_FIELDS.join(', ')}`

// What an account sets on single products and on itself, its own stock, and suppliers' offers.

const Timestamp = Type.String({ description: 'Time in UTC, to the second.', ...formatted('date-time') })
const Url = Type.String(formatted('iri'))

const ByPlace = <T extends Type.TSchema>(value: T, words: string, description: string) =>
  Type.Union([Type.Record(Text, Type.Union([value, Null], must(words))), Null], {
    description,
    ...must(MUST.object),
  })

/** A field that is the same in every locale. @param currency that of an amount which states none */
const nameField = (field: NameField, currency: string, more: string) =>
  orNull(
    described(
      Text,
      `${descriptionOf(field)}.${valuesOf(field) === 'list-price' ? ` In ${currency} if none is stated.` : ''} ${more}`,
    ),
    MUST.string,
  )

/** The owner's overrides of a product; null shows the suppliers' values again. */
const PRODUCT_FIELDS = {
  sku: orNull(
    Type.String({
      description: 'Own key of the product. It is the exported SKU unless the account has a sku_pattern.',
    }),
    'must be a string',
  ),
  ean: orNull(Type.String({ description: 'Primary EAN; null: the EAN of the first supplier.' }), MUST.string),
  ...forEachField(TEXT_FIELDS, (field) =>
    ByLocale(
      `${descriptionOf(field)}. Your own text by locale; null for a locale, or for the whole member, shows the suppliers’ text again.`,
    ),
  ),
  ...forEachField(NAME_FIELDS, (field) =>
    nameField(field, 'the account’s currency', 'Your own value; null shows the suppliers’ value again.'),
  ),
  images: Type.Union([Type.Array(Url), Null], {
    description:
      'URLs of the pictures, in the order in which they are shown, in place of the suppliers’ pictures. An empty list shows none; null shows the suppliers’ again.',
    ...must('must be a list of URLs'),
  }),
  image_alts: Type.Union(
    [Type.Record(Text, ByPlace(Text, MUST.string, 'Alternative text by URL of the picture.')), Null],
    {
      description:
        'Alternative texts of pictures, by locale and then by the picture’s URL: what the picture shows, in at most 1,000 characters. null for a text, a locale or the whole member shows the suppliers’ texts again.',
      ...must('must be an object by locale'),
    },
  ),
  attributes: Type.Union(
    [
      Type.Record(
        Text,
        ByPlace(
          Type.Union([Text, Type.Literal(false)]),
          'must be a string, or false',
          'Value by locale, with * for all locales that are not named; false hides the attribute.',
        ),
      ),
      Null,
    ],
    {
      description:
        'Attribute values, by attribute key and then by locale, with * for all locales that are not named; false hides the attribute.',
      ...must('must be an object by attribute key'),
    },
  ),
  listings: ByPlace(
    Type.Boolean(),
    'must be true or false',
    'Manual listings by store slug: whether the store lists the product, regardless of its assortment rules.',
  ),
  exclusions: ByPlace(
    Text,
    'must be a string',
    'Manual exclusions by store slug, with * for all stores: the reason why the product is excluded from the store’s export.',
  ),
  slugs: ByPlace(
    Text,
    'must be a string',
    'Slugs of the product by store slug, in place of the slug that is made from the title. Stored in normalized form; refused while another product has the slug. Earlier slugs still lead to the product.',
  ),
}

export const ProductCreate = Type.Object(optional(PRODUCT_FIELDS), closed)
const PRODUCT_GIVEN = { id: GivenId('product'), created_at: Timestamp }
/** Present only if the owner has decided the product's variant group. */
const productGroup = (options: Type.TObjectOptions = {}) => ({
  variant_group: Type.Object(
    {
      id: Type.Union([Id, Null], {
        description: 'ID of the variant group; null: the product is in no group.',
      }),
    },
    {
      description:
        'Variant group into which you put the product (see /v1/account/variant-groups); an id of null means that you took it out of all groups. Left out if suppliers decide.',
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
  { $id: 'ProductResource', description: 'What the account has set on a product; suppliers’ values are not in it.' },
)

const PIECES = Quantity('Number of pieces in stock.')
const STOCK_FIELDS = {
  quantity: QuantityGiven('Number of pieces in stock.'),
  cost: Amount('Cost of one piece, in the account’s currency; null if unknown.'),
}
const STOCK_GIVEN = { product_id: ProductId }
export const StockPut = Type.Object(
  { quantity: STOCK_FIELDS.quantity, cost: Type.Optional(STOCK_FIELDS.cost), ...echoed(STOCK_GIVEN) },
  closed,
)
export const StockPatch = Type.Object({ ...optional(resettable(STOCK_FIELDS)), ...echoed(STOCK_GIVEN) }, closed)
export const StockResource = Type.Object(
  { ...STOCK_GIVEN, ...STOCK_FIELDS, quantity: PIECES },
  { $id: 'StockResource', description: 'Own stock of a product.' },
)

const OfferGroup = Type.Object(
  {
    key: Type.String({
      description: 'Supplier’s key of the group; all offers of the supplier with the same key form one group.',
    }),
    title: Type.Optional(ByLocale('Title of the group by locale.')),
    options: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key: described(Text, 'Key of the option, such as size: 1 to 100 characters.'),
            label: Type.Optional(
              orNull(
                described(
                  Text,
                  'Label of the option, unless an attribute definition has one for this key; null: none.',
                ),
                MUST.string,
              ),
            ),
            value: described(Text, 'Value of this variant.'),
          },
          closed,
        ),
        { description: 'Options in which the variants differ, with the values of this variant, in order.' },
      ),
    ),
    position: Type.Optional(
      orNull(
        Type.Integer({ description: 'Position of this variant in the group; the lowest comes first.' }),
        MUST.whole,
      ),
    ),
  },
  closed,
)

const MUST_COST_TIERS = 'must be a list of tiers, each with a quantity and a cost'
const CostTier = Type.Object(
  {
    quantity: Type.Integer({ description: 'Minimum number of pieces for this cost: 2 to 1000000.' }),
    cost: Decimal('Cost of one piece from this quantity on; above 0.'),
  },
  closed,
)

const OFFER_FIELDS = {
  eans: Type.Array(Text, {
    description:
      'EANs of the article. A new offer joins a product of another supplier that has one of them, if its check digit is valid.',
  }),
  cost: Amount('Purchase cost of one piece; null if unknown.'),
  cost_tiers: orNull(
    Type.Array(CostTier, {
      description:
        'Cost tiers: the cost of one piece from a minimum quantity on, in the currency of `cost`; includes tax if `cost` does. At most 20, with rising quantities and falling costs. A list replaces the whole list; null: none. Rules with `tiers_from_supplier` make tier prices from them.',
    }),
    MUST_COST_TIERS,
  ),
  currency: Type.String({ description: 'Currency of the cost (ISO 4217); the supplier’s currency unless set.' }),
  quantity: QuantityGiven('Number of pieces in stock.'),
  texts: Type.Record(
    Text,
    Type.Union(
      [
        Type.Object(
          forEachField(TEXT_FIELDS, (field) =>
            Type.Optional(orNull(described(Text, `${descriptionOf(field)}. null: none.`), MUST.string)),
          ),
          closed,
        ),
        Null,
      ],
      must(MUST_TEXTS),
    ),
    { description: `Texts by locale: ${TEXT_FIELDS.join(', ')}. null removes a locale.` },
  ),
  ...forEachField(NAME_FIELDS, (field) => nameField(field, 'the currency of the cost', 'null: not stated.')),
  attributes: Type.Array(
    Type.Object(
      {
        key: described(Text, 'Key of the attribute: 1 to 100 characters.'),
        value: described(Text, 'Value of the attribute, as text.'),
      },
      closed,
    ),
    { description: 'Attributes, in the order in which they are shown.' },
  ),
  images: Type.Array(Url, { description: 'URLs of the pictures, in the order in which they are shown.' }),
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
        'Alternative texts of pictures, by locale and then by the picture’s URL: what the picture shows, in at most 1,000 characters. A locale in the body is replaced as a whole; null for a locale removes its texts, null for the whole member removes all.',
      ...must('must be an object by locale'),
    },
  ),
  group: Type.Union([OfferGroup, Null], {
    description: 'Variant group of the article; replaced as a whole. null: none.',
    ...must(MUST.object),
  }),
}
const OFFER_GIVEN = {
  supplier: SupplierCode,
  sku: SupplierSku,
  product_id: described(Id, 'ID of the product to which the offer belongs.'),
  absent_since: Type.Union([Timestamp, Null], {
    description:
      'Since when the supplier’s full files have not contained the article; null if it is not missing from them.',
  }),
}
export const OfferPut = Type.Object({ ...optional(resettable(OFFER_FIELDS)), ...echoed(OFFER_GIVEN) }, closed)
export const OfferPatch = OfferPut
export const OfferResource = Type.Object(
  { ...OFFER_GIVEN, ...OFFER_FIELDS, quantity: PIECES },
  { $id: 'OfferResource', description: 'An offer of a supplier, as the supplier states it.' },
)

const ACCOUNT_FIELDS = {
  name: NameOf('account'),
  locale: AccountLocale,
  any_locale: Type.Boolean({
    description:
      'Whether a text that exists neither in the store’s locale nor in the account’s is taken from any other locale.',
  }),
  time_zone: Type.String({ description: 'Time zone (IANA name). Rules start and end at midnight in this zone.' }),
  sku_pattern: orNull(
    Type.String({ description: 'Pattern of the exported SKU (see the guide on rules); null: the product’s own key.' }),
    'must be a string',
  ),
  price_jump_factor: Amount(
    'Factor of the price jump guard: a price that would change by more than this factor is held until it is confirmed. 3 in a new account; null: prices are never held.',
  ),
  adopt_images: Type.Boolean({
    description:
      'Whether the service’s copy of a picture becomes the account’s own when the picture’s source has been unreachable for 30 days. Otherwise the picture is left out.',
  }),
  additional_members: Type.Array(
    OneOf(ADDITIONAL_MEMBER_NAMES, must(`must be one of ${ADDITIONAL_MEMBER_NAMES.join(', ')}`)),
    {
      description: `Members that products have in addition to those that all accounts read. ${describeAdditionalMembers()}.`,
      ...must(`must be a list of ${ADDITIONAL_MEMBER_NAMES.join(', ')}`),
    },
  ),
  rates_from: OneOf(['hand', 'ecb'], {
    description:
      'Source of the account’s exchange rates. ecb: they follow the European Central Bank’s rates each working day; hand: they are only set by hand.',
    ...must('must be hand or ecb'),
  }),
  rates_least_change_percent: Decimal(
    'Smallest change, in percent, at which a rate of the European Central Bank is taken over, compared with the bank’s rate that was taken over last. 0.5 unless set; at most 3 digits before the point and 4 after it.',
  ),
  rates_greatest_change_percent: Decimal(
    'Largest difference, in percent, between a rate of the European Central Bank and the account’s rate. A rate that differs more is held until somebody accepts it, and owners get a notice. 10 unless set; must be above rates_least_change_percent.',
  ),
}
const ACCOUNT_GIVEN = { id: GivenId('account'), currency: AccountCurrency }
export const AccountPatch = Type.Object({ ...optional(resettable(ACCOUNT_FIELDS)), ...echoed(ACCOUNT_GIVEN) }, closed)
export const AccountSettings = Type.Object(
  { ...ACCOUNT_GIVEN, ...ACCOUNT_FIELDS },
  {
    $id: 'AccountResource',
    description: 'Settings that apply to the whole account.',
  },
)

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
      description: 'IDs of the products that are merged into the product in the path.',
    }),
  },
  closed,
)
export const UngroupBody = Type.Object(
  {
    product_ids: Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'IDs of the products, at most 1,000.' }),
    follow_suppliers: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether suppliers decide the products’ groups again: your own decisions are removed, instead of taking the products out of every group.',
      }),
    ),
  },
  closed,
)
/** The answer to an ungrouping. */
export const Ungrouped = Type.Object(
  { product_ids: Type.Array(Id, { description: 'IDs of the products that this request changed.' }) },
  { $id: 'Ungrouped', description: 'Result of taking products out of their variant groups.' },
)
export const SplitBody = Type.Object(
  {
    offers: Type.Array(Type.Object({ supplier: SupplierCode, sku: SupplierSku }, closed), {
      minItems: 1,
      description: 'Offers that become a new product.',
    }),
  },
  closed,
)
