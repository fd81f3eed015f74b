import { findEans, slugIn } from '../content/additional-members.ts'
import { basisOf } from '../basis.ts'
import type { CompiledAccount } from '../compile.ts'
import { findAlt, statedAlts } from '../content/image-alts.ts'
import type { ProductInputs } from '../inputs.ts'

/** A value that stores read of a product and that no single override replaces. */
export type ShownField =
  /** The product's address in a store's shop. */
  | { field: 'slug'; storeId: number }
  | { field: 'eans' }
  /** The alternative texts of its pictures, in exactly this locale. */
  | { field: 'image_alts'; locale: string }

/** One line shows the texts of at most this many pictures. */
const PICTURES_MAX = 10
const NO_TEXT = '–'

/** The value in one line; null: none. For pictures, missing texts are shown as a dash if any picture has one. */
export function shownValue(compiled: CompiledAccount, product: ProductInputs, wanted: ShownField): string | null {
  if (wanted.field === 'slug') return slugIn(product, wanted.storeId) ?? null
  const { fields, images, sources } = basisOf(compiled, product)
  if (wanted.field === 'eans') {
    const eans = findEans(product.eans, fields.ean?.value ?? null, sources)
    return eans.length === 0 ? null : eans.join(', ')
  }
  const stated = statedAlts(product.overrides, compiled.sources.of('images', sources))
  const locales = { chain: [wanted.locale], isAnyAllowed: false }
  const texts = images
    .filter(({ shown }) => shown !== null)
    .slice(0, PICTURES_MAX)
    .map(({ url }) => findAlt(stated, locales, url)?.value ?? null)
  return texts.every((text) => text === null) ? null : texts.map((text) => text ?? NO_TEXT).join(' · ')
}
