import type { NameField, TextField } from '../../../contract/product-fields.ts'
import { compileDefinitions, findAttributes } from './attributes.ts'
import { findCategory } from './category.ts'
import type { CompiledAccount } from '../compile.ts'
import type { ProductInputs } from '../inputs.ts'
import { findName, findText } from './text.ts'

/** A value of a product that an override can replace. */
export type OwnableField =
  | { field: TextField; locale: string }
  | { field: NameField }
  /** In every locale that is not named. */
  | { field: 'attribute'; key: string }

const NO_DEFINITIONS = compileDefinitions([], 'und', 'und')

/**
 * The suppliers' value of a field, as if there were no override: a text in exactly this locale, a category mapped to
 * the account's, an attribute as stated. null: no supplier has one.
 */
export function suppliedValue(compiled: CompiledAccount, product: ProductInputs, wanted: OwnableField): string | null {
  const { suppliers, sources } = compiled
  const general = sources.general(product.offers.filter((offer) => suppliers.has(offer.supplierId)))
  if (wanted.field === 'attribute') {
    const found = findAttributes([], NO_DEFINITIONS, [], sources.of('attributes', general))
    return found.find(({ key }) => key === wanted.key)?.stated ?? null
  }
  const asked = sources.of(wanted.field, general)
  if ('locale' in wanted) {
    const locales = { chain: [wanted.locale], isAnyAllowed: false }
    return findText(wanted.field, locales, [], asked)?.value ?? null
  }
  if (wanted.field === 'category') return findCategory([], asked, compiled.ownCategories)?.value ?? null
  return findName(wanted.field, [], asked)?.value ?? null
}
