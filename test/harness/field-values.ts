import { valuesOf, type NameField } from '../../contract/product-fields.ts'

/** Two values of each kind in the form in which they are stored; null: any text. */
const VALUES: Readonly<Record<ReturnType<typeof valuesOf>, readonly [string, string] | null>> = {
  text: null,
  condition: ['new', 'used'],
  country: ['DE', 'PL'],
  'hs-code': ['820110', '96081010'],
  weight: ['1', '0.35'],
  length: ['30', '40.5'],
  'list-price': ['129.9', '139 EUR'],
  'tax-in': ['DE', 'none'],
  day: ['2026-11-20', '2999-11-27'],
  content: ['750 ml', '6 x 0.33 l'],
}

/** Two values of a field that is the same in every locale. */
export const valuesOfName = (field: NameField): readonly [string, string] =>
  VALUES[valuesOf(field)] ?? [`A ${field}`, `Another ${field}`]
