import Type from 'typebox'
import { Amount, ByLocale, closed, Id, must, Null, optional, orNull, resettable, Text } from './sources.ts'

// What an account states of single products, of its own stock, of suppliers' offers, and of itself.

const Timestamp = Type.String({ description: 'UTC, to the second.' })

const ByPlace = (value: Type.TSchema, words: string, description: string) =>
  Type.Union([Type.Record(Text, Type.Union([value, Null], must(`${words}, or null`))), Null], { description, ...must('must be an object, or null') })

/** What the owner says of a product over what suppliers say; null shows theirs again. */
const PRODUCT_FIELDS = {
  sku: orNull(Type.String({ description: 'The product’s own key, from which the exported SKU is made unless a pattern is set.' }), 'must be a text'),
  ean: orNull(Type.String({ description: 'The primary EAN; null: the first supplier’s.' }), 'must be 1 to 14 digits as text'),
  title: ByLocale('Locale -> title; null in place of a locale’s text, or of all, shows the suppliers’ again.'),
  description: ByLocale('Locale -> description.'),
  manufacturer: orNull(Text, 'must be a text'),
  category: orNull(Type.String({ description: 'Category path.' }), 'must be a text'),
  images: Type.Union([Type.Array(Text), Null], { description: 'URLs in the order in which they are shown, in place of the suppliers’; an empty list shows none.', ...must('must be a list of URLs, or null') }),
  attributes: Type.Union(
    [
      Type.Record(
        Text,
        ByPlace(Type.Union([Text, Type.Literal(false)]), 'must be a text, or false', 'Locale, or * for every one -> value; false hides the attribute.'),
      ),
      Null,
    ],
    { description: 'Attribute key -> locale, or * for every one -> value, or false to hide it.', ...must('must be an object by attribute key, or null') },
  ),
  listings: ByPlace(Type.Boolean(), 'must be true or false', 'Store slug -> whether it lists the product, whatever its assortment says.'),
  exclusions: ByPlace(Text, 'must be a text', 'Store slug, or * for every one -> reason for which the product is excluded from its export.'),
}

export const ProductCreate = Type.Object(optional(PRODUCT_FIELDS), closed)
export const ProductPatch = Type.Object(optional(PRODUCT_FIELDS), closed)
export const ProductSource = Type.Object({ id: Id, created_at: Timestamp, ...PRODUCT_FIELDS }, { ...closed, $id: 'ProductSource' })

const STOCK_FIELDS = { quantity: Type.Integer({ description: 'Pieces on hand; a negative number counts as 0.' }), cost: Amount('What a piece cost, in the account’s currency; null: not known.') }
export const StockPut = Type.Object({ quantity: STOCK_FIELDS.quantity, cost: Type.Optional(STOCK_FIELDS.cost) }, closed)
export const StockPatch = Type.Object(optional(resettable(STOCK_FIELDS)), closed)
export const StockSource = Type.Object({ product_id: Id, ...STOCK_FIELDS }, { ...closed, $id: 'StockSource' })

const OFFER_FIELDS = {
  eans: Type.Array(Text, { description: 'EANs; a new offer joins the product of another supplier that carries one whose check digit is right.' }),
  cost: Amount('Purchase cost of a piece; null: not known.'),
  currency: Type.String({ description: 'Of the cost; the supplier’s unless stated.' }),
  quantity: Type.Integer({ description: 'Pieces on hand; a negative number counts as 0.' }),
  texts: Type.Record(Text, Type.Object({ title: Type.Optional(orNull(Text, 'must be a text')), description: Type.Optional(orNull(Text, 'must be a text')) }, closed), {
    description: 'Locale -> title and description.',
  }),
  manufacturer: orNull(Text, 'must be a text'),
  category: orNull(Text, 'must be a text'),
  attributes: Type.Array(Type.Object({ key: Text, value: Text }, closed), { description: 'In the order shown.' }),
  images: Type.Array(Text, { description: 'URLs in the order shown.' }),
}
export const OfferPut = Type.Object(optional(resettable(OFFER_FIELDS)), closed)
export const OfferPatch = OfferPut
export const OfferSource = Type.Object(
  { supplier: Text, sku: Text, product_id: Id, ...OFFER_FIELDS, absent_since: Type.Union([Timestamp, Null], { description: 'Since when a full feed of the supplier misses it.' }) },
  { ...closed, $id: 'OfferSource' },
)

const ACCOUNT_FIELDS = {
  name: Text,
  locale: Type.String({ description: 'The last locale a text falls back to (BCP 47).' }),
  time_zone: Type.String({ description: 'IANA name; rules count from day to day in it.' }),
  sku_pattern: orNull(Type.String({ description: 'Pattern of the exported SKU (docs/rules.md); null: the product’s own key.' }), 'must be a text'),
  price_jump_factor: Amount('A price that would move by more than this factor is held back until it is confirmed; null: none is.'),
}
export const AccountPatch = Type.Object(optional(resettable(ACCOUNT_FIELDS)), closed)
export const AccountSource = Type.Object({ id: Id, currency: Text, ...ACCOUNT_FIELDS }, { ...closed, $id: 'AccountSource' })

export const MergeBody = Type.Object({ product_ids: Type.Array(Id, { minItems: 1, description: 'Products that go into the one that is named in the address.' }) }, closed)
export const SplitBody = Type.Object(
  { offers: Type.Array(Type.Object({ supplier: Type.String({ description: 'Code.' }), sku: Text }, closed), { minItems: 1, description: 'Offers that become a product of their own.' }) },
  closed,
)
