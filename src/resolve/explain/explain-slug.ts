import { slugWithoutTitle } from '../../model/slug.ts'
import { slugIn, wantedSlug } from '../content/additional-members.ts'
import type { Basis } from '../basis.ts'
import type { CompiledAccount, CompiledStore } from '../compile.ts'
import type { ProductInputs } from '../inputs.ts'

/**
 * A slug that leads to the product. `retired` is 0 for the current one, and higher the later a former one was replaced.
 */
export interface SlugRecord {
  storeId: number
  slug: string
  retired: number
  isOwn: boolean
}

export interface ExplainedSlug {
  value: string
  /** `title`: made from the title when the store first listed the product; `id`: the product has no title yet. */
  by: 'title' | 'hand' | 'id'
  /** Former slugs, the latest first. */
  old: string[]
}

/**
 * The product's slug in a store, or the one that it would take there; null if the account has not enabled the member.
 */
export function explainSlug(
  compiled: CompiledAccount,
  inStore: CompiledStore,
  product: ProductInputs,
  { sources }: Basis,
  records: readonly SlugRecord[],
): ExplainedSlug | null {
  if (!compiled.account.additionalMembers.includes('slug')) return null
  const { storeId } = inStore.store
  const here = records.filter((record) => record.storeId === storeId)
  const old = here
    .filter(({ retired }) => retired > 0)
    .toSorted((a, b) => b.retired - a.retired)
    .map(({ slug }) => slug)
  const current = slugIn(product, storeId)
  if (current !== undefined) {
    const isOwn = here.some((record) => record.retired === 0 && record.isOwn)
    return { value: current, by: isOwn ? 'hand' : 'title', old }
  }
  const wanted = wantedSlug(inStore, product, compiled.sources.of('title', sources))
  return { value: wanted ?? slugWithoutTitle(product.productId), by: wanted === null ? 'id' : 'title', old }
}
