import { NAME_FIELDS, TEXT_FIELDS, type NameField, type TextField } from '../../contract/product-fields.ts'

/**
 * Fields that are in every hash, at fixed places: hashes are stored, and these fields were there when the first ones were. A field that was added
 * later is in a hash, by its name, only where it has a value. So the hashes of all others stay what they were, and an import after an upgrade
 * finds its offers unchanged. Nothing is ever added here.
 */
export const HASHED_NAMES: readonly NameField[] = ['manufacturer', 'category']
export const HASHED_TEXTS: readonly TextField[] = ['title', 'description']
export const LATER_NAMES = NAME_FIELDS.filter((field) => !HASHED_NAMES.includes(field))
export const LATER_TEXTS = TEXT_FIELDS.filter((field) => !HASHED_TEXTS.includes(field))

/**
 * Later fields as the last member of what is hashed; [] where there are none.
 * @param isNullValue whether null counts: in a record it clears a field, an offer has none
 */
export function laterOf<F extends string>(
  later: readonly F[],
  values: Readonly<Partial<Record<F, string | null>>>,
  isNullValue: boolean,
): [] | [Record<string, string | null>] {
  let found: Record<string, string | null> | undefined
  for (const field of later) {
    const value = values[field]
    if (value === undefined || (value === null && !isNullValue)) continue
    found ??= {}
    found[field] = value
  }
  return found === undefined ? [] : [found]
}
