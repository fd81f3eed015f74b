import { findEans, slugIn } from '../content/additional-members.ts'
import { basisOf } from '../basis.ts'
import type { CompiledAccount } from '../compile.ts'
import { findAlt, statedAlts } from '../content/image-alts.ts'
import type { ProductInputs } from '../inputs.ts'

/** What stores are given of a product, and what no single override replaces. */
export type ShownField =
  /** Where it leads to in a store's shop. */
  | { field: 'slug'; storeId: number }
  | { field: 'eans' }
  /** What its pictures show, in exactly this locale. */
  | { field: 'image_alts'; locale: string }

/** Texts of so many pictures are told in one line. */
const PICTURES_MAX = 10
const NO_TEXT = '–'

/** The value in one line; null: there is none. Of pictures some of which have a text, those without one are a dash. */
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
