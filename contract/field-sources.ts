import Type from 'typebox'
import { OneOf } from './one-of.ts'
import { descriptionOf, forEachField, NAME_FIELDS, SOURCE_FIELDS, TEXT_FIELDS } from './product-fields.ts'
import { described, Id, nullable, SlugOfStore, SupplierId, SupplierSku, Text } from './values.ts'

// The values of a product's fields in a store, and where they come from.

const Locale = nullable(
  Text,
  'Locale of the value; null: the supplier sends it without a language; empty: the same in every language.',
)

/** @param place schema and description of the locale of an override. */
const SourceIn = <T extends Type.TSchema>(place: T) =>
  Type.Union(
    [
      Type.Object({ from: Type.Literal('override', { description: 'Kind of source: your override.' }), locale: place }),
      Type.Object({
        from: Type.Literal('supplier', { description: 'Kind of source: the offer of a supplier.' }),
        supplier_id: SupplierId,
        supplier_sku: SupplierSku,
        locale: Locale,
      }),
    ],
    { description: 'Where the value comes from: your override, or the offer of a supplier.' },
  )
export const Source = SourceIn(
  Type.String({
    description:
      'Locale of the override; empty: the same in every language; * (attributes only): all locales without a value of their own.',
  }),
)
/** The source of a field's value: the owner's override, or an offer of a supplier. */
export const FieldSource = SourceIn(
  nullable(
    Text,
    'Locale of the override; null: the same in every language; * (attributes only): all locales without a value of their own.',
  ),
)
const OtherSource = Type.Object({
  from: OneOf(['product', 'pattern', 'default'], {
    description:
      'Kind of source, neither an override nor an offer. product: the product’s own key; pattern: the account’s sku_pattern; default: no source, so that no value is shown.',
  }),
})
const ShownFrom = Type.Union([FieldSource, OtherSource], {
  description:
    'Where the value comes from. product: the product’s own key; pattern: the account’s sku_pattern; default: no source, so that no value is shown.',
})
const shown = <T extends Type.TSchema>(value: T) => ({
  value: nullable(value, 'Value in the store; null: none.'),
  source: ShownFrom,
})
const Shown = <T extends Type.TSchema>(value: T, what: string) =>
  Type.Object(shown(value), { description: `${what}. The value in the store, and where it comes from.` })

/** @param alt schema of the alternative text */
export const pictureStates = <T extends Type.TSchema>(alt: T) =>
  Type.Array(
    Type.Object({
      url: Type.String({ description: 'URL of the picture at its source.' }),
      state: OneOf(['pending', 'mirrored', 'dead', 'original'], {
        description:
          'State of the picture. pending: not fetched successfully yet, its original URL is shown; mirrored: our copy is shown; dead: it could not be fetched for too long, and is left out; original: this installation does not copy pictures, the original URL is shown.',
      }),
      reason: nullable(
        Text,
        'Why the picture is dead, or why the last attempt to fetch it failed, such as not_found, http_500, timeout or not_an_image; null: no failure.',
      ),
      shown: nullable(Text, 'URL that stores read; null: the picture is left out.'),
      copy: nullable(
        Type.Object({
          hash: Type.String({ description: 'SHA-256 of the copy’s bytes, in hexadecimal.' }),
          type: Type.String({ description: 'Media type of the copy.' }),
          width: nullable(Type.Integer(), 'Width in pixels.'),
          height: nullable(Type.Integer(), 'Height in pixels.'),
        }),
        'Our copy, if it is shown; else null.',
      ),
      alt: nullable(
        alt,
        'Alternative text: what the picture shows; null: there is none in a language that the store shows.',
      ),
    }),
    { description: 'All pictures of the source in order, including those that are left out.' },
  )

/** An attribute as the store shows it, without its type. */
export const AttributeShown = {
  key: described(Text, 'Key of the attribute.'),
  label: described(Text, 'Display label in the store’s locale.'),
  value: described(Text, 'Value in the store’s locale, as text.'),
}

/** GET /v1/account/products/{id}/fields. */
export const ProductFields = Type.Object(
  {
    store: SlugOfStore,
    sku: Shown(Text, 'Exported SKU'),
    ean: Shown(Text, descriptionOf('ean')),
    ...forEachField([...TEXT_FIELDS, ...NAME_FIELDS], (field) => Shown(Text, descriptionOf(field))),
    images: Type.Object(
      { ...shown(Type.Array(Text)), states: pictureStates(Shown(Text, 'Alternative text')) },
      { description: `${descriptionOf('images')}. The pictures in the store, and where they come from.` },
    ),
    attributes: Type.Array(Type.Object({ ...AttributeShown, source: FieldSource }), {
      description: 'Attributes of the product, in the order in which they are shown.',
    }),
  },
  { $id: 'ProductFields', description: 'Each field of a product as a store shows it, with its source.' },
)

const Asked = Type.Object(
  {
    field: OneOf(SOURCE_FIELDS, { description: 'Name of the field, which can have a source order of its own.' }),
    supplier_ids: Type.Array(Id, {
      description: 'IDs of the suppliers with an offer of the product, the first one taking precedence.',
    }),
  },
  { description: 'Suppliers in the order of precedence for the field.' },
)
/** Members of a value with its source. */
export const value = <T extends Type.TSchema>(of: T) => ({
  value: nullable(of, 'Value in the store; null: none.'),
  source: nullable(Source, 'Where the value comes from: your override, or the offer of a supplier; null: no value.'),
  asked: Asked,
})
/** Options of an object with such members. @param what the field, without a period */
export const explained = (what: string) => ({
  description: `${what}. The value in the store, where it comes from, and the order of the suppliers.`,
})
export const Value = <T extends Type.TSchema>(of: T, what: string) => Type.Object(value(of), explained(what))
