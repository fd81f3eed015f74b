import { NAME_FIELDS, TEXT_FIELDS, type NameField, type TextField } from '../../contract/product-fields.ts'

/**
 * Fields that have fixed places in every hash, because they existed when the first hashes were stored. A field that was added later is hashed by
 * name and only if it has a value, so that other hashes stay the same and an import after an upgrade finds its offers unchanged. Never add to
 * these lists.
 */
export const HASHED_NAMES: readonly NameField[] = ['manufacturer', 'category']
export const HASHED_TEXTS: readonly TextField[] = ['title', 'description']
export const LATER_NAMES = NAME_FIELDS.filter((field) => !HASHED_NAMES.includes(field))
export const LATER_TEXTS = TEXT_FIELDS.filter((field) => !HASHED_TEXTS.includes(field))

/**
 * The later fields as one last member of the hashed list; [] if there are none.
 * @param isNullValue whether null counts as a value: in a record it clears a field; in an offer it means none
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
