import type { Tx } from '../../../db/sql.ts'
import type { Check } from '../../../input/check.ts'
import { isKeptForOther, longSlugOf } from '../../../model/slug.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { slugHolders, slugsDelete, slugsMark, slugsOf, slugsTakeAsOld, type ProductSlug } from './slugs.sql.ts'

/** A write of a product's slug in one store by hand. */
export interface SlugChange {
  storeId: number
  /** The name of the member in faults: `slugs.de`. */
  name: string
  /** The store's locale, by whose rules the text becomes a slug. */
  locale: string
  /** null: the slug is made from the title again. */
  text: string | null
}

export type CheckedSlug = Pick<SlugChange, 'storeId' | 'name'> & { slug: string | null }

/** Validates a slug. @returns it with the slug that its text becomes. */
export function checkSlug(check: Check, productId: number, { storeId, name, locale, text }: SlugChange): CheckedSlug {
  if (text === null || check.isFull) return { storeId, name, slug: null }
  const before = check.faults.length
  const clean = check.text(name, text, LIMITS.slugTextLengthMax)
  if (check.faults.length > before) return { storeId, name, slug: null }
  const slug = longSlugOf(clean, locale)
  check.that(slug !== '', name, 'has neither a letter nor a digit')
  check.that(
    slug.length <= LIMITS.slugLengthMax,
    name,
    `becomes a slug of ${slug.length} characters; it may have ${LIMITS.slugLengthMax}`,
  )
  check.that(
    !isKeptForOther(slug, productId),
    name,
    'ends with -id and a number, or is product- and a number, which is kept for the product with that ID',
  )
  return { storeId, name, slug }
}

/**
 * Sets slugs of a locked product by hand, one per store. The previous slug stays with the product as an old one; a slug that is an old one of
 * another product is taken from that product.
 * @returns whether anything changed.
 * @throws ShelfwireError conflict naming the product whose slug it is.
 */
export async function setSlugs(
  tx: Tx,
  accountId: number,
  productId: number,
  rows: readonly CheckedSlug[],
): Promise<boolean> {
  const known = Map.groupBy(await slugsOf(tx, accountId, productId), ({ storeId }) => storeId)
  const taking: (CheckedSlug & { slug: string; retired: number })[] = []
  const retiring: ProductSlug[] = []
  const current: ProductSlug[] = []
  const leaving: ProductSlug[] = []
  for (const { slug, ...of } of rows) {
    const all = known.get(of.storeId) ?? []
    const now = all.find(({ retired }) => retired === 0)
    const next = Math.max(0, ...all.map(({ retired }) => retired)) + 1
    if (slug === null ? now?.isOwn !== true : now?.slug === slug && now.isOwn) continue
    if (now !== undefined && now.slug !== slug) {
      retiring.push({ ...now, retired: next + 1, isOwn: false })
      const old = all.filter((row) => row.retired > 0 && row.slug !== slug)
      leaving.push(...old.slice(0, Math.max(0, old.length + 1 - LIMITS.oldSlugsMax)))
    }
    if (slug === null) continue
    if (now?.slug !== slug) taking.push({ ...of, slug, retired: next })
    current.push({ storeId: of.storeId, slug, retired: 0, isOwn: true })
  }
  // first, while nothing else is locked, because this may wait for another transaction
  if (taking.length > 0) await take(tx, accountId, productId, taking)
  if (retiring.length > 0) await slugsMark(tx, accountId, productId, retiring)
  if (current.length > 0) await slugsMark(tx, accountId, productId, current)
  if (leaving.length > 0) await slugsDelete(tx, accountId, productId, leaving)
  return retiring.length + current.length > 0
}

async function take(
  tx: Tx,
  accountId: number,
  productId: number,
  rows: readonly (CheckedSlug & { slug: string; retired: number })[],
): Promise<void> {
  const taken = new Set((await slugsTakeAsOld(tx, accountId, productId, rows)).map(({ storeId }) => storeId))
  const refused = rows.filter(({ storeId }) => !taken.has(storeId))
  if (refused.length === 0) return
  const holders = await slugHolders(tx, accountId, refused)
  const faults = refused.map(({ storeId, slug, name }) => {
    const holder = holders.find((row) => row.storeId === storeId)?.productId
    return { name, reason: `"${slug}" is the slug of product ${holder} in this store` }
  })
  const detail = faults.map(({ name, reason }) => `${name}: ${reason}`).join('; ')
  throw new ShelfwireError('conflict', detail, { faults })
}
