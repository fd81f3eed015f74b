// The fields of a product that come from one source at a time: an override, or the first supplier with a value, in an
// order that an account may set per field. Everything about such fields is derived from this table: overrides, source
// orders, explain, the fields of a product. schemas.ts says which of them the payload shows.

/** The form of a field's value. */
type Form =
  /** One text per locale. */
  | 'text'
  /** One text for all locales. */
  | 'name'
  | 'images'
  | 'attributes'
  | 'ean'
  | 'sku'

const FIELDS = {
  title: { form: 'text', lengthMax: 5_000 },
  description: { form: 'text', lengthMax: 200_000 },
  manufacturer: { form: 'name', lengthMax: 200 },
  category: { form: 'name', lengthMax: 1_000 },
  images: { form: 'images' },
  attributes: { form: 'attributes' },
  ean: { form: 'ean' },
  sku: { form: 'sku' },
} as const satisfies Record<string, { form: Form; lengthMax?: number }>

/** Fields with a source order. */
export type SourceField = keyof typeof FIELDS
type FieldOf<F extends Form> = { [K in SourceField]: (typeof FIELDS)[K]['form'] extends F ? K : never }[SourceField]

export type TextField = FieldOf<'text'>
export type NameField = FieldOf<'name'>
/**
 * Fields that one override replaces; attributes have their own overrides, an EAN and a SKU belong to the product.
 */
export type OverrideField = FieldOf<'text' | 'name' | 'images'>

const fieldsOf = <F extends Form>(...forms: F[]) =>
  (Object.keys(FIELDS) as SourceField[]).filter((field): field is FieldOf<F> =>
    (forms as Form[]).includes(FIELDS[field].form),
  )

export const SOURCE_FIELDS = Object.keys(FIELDS) as readonly SourceField[]
export const TEXT_FIELDS = fieldsOf('text')
export const NAME_FIELDS = fieldsOf('name')
export const OVERRIDE_FIELDS = fieldsOf('text', 'name', 'images')

/** The most UTF-16 units of a text. */
export const lengthMaxOf = (field: TextField | NameField): number => FIELDS[field].lengthMax
export const isTextField = (field: string): field is TextField => (TEXT_FIELDS as readonly string[]).includes(field)
/** @internal for tests */
export const isNameField = (field: string): field is NameField => (NAME_FIELDS as readonly string[]).includes(field)

/** The same for each field, by its name. */
export function forEachField<F extends SourceField, T>(fields: readonly F[], make: (field: F) => T): Record<F, T> {
  return Object.fromEntries(fields.map((field) => [field, make(field)])) as Record<F, T>
}
