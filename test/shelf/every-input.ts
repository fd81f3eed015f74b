import { IMAGE_INPUTS } from './image-inputs.ts'
import type { Case } from './input-case.ts'
import { PRICE_LIST_INPUTS } from './price-list-inputs.ts'
import { PRODUCT_INPUTS } from './product-inputs.ts'
import { SETTING_INPUTS } from './setting-inputs.ts'

/**
 * For every column of every table that shelving reads a case that changes it, or the reason why no payload depends on it. The
 * test compares this list with the schema, so that a new column without an entry fails.
 */
export const EVERY_INPUT: Readonly<Record<string, Case | string>> = {
  ...SETTING_INPUTS,
  ...PRODUCT_INPUTS,
  ...PRICE_LIST_INPUTS,
  ...IMAGE_INPUTS,
}
