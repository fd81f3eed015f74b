import {
  ADDITIONAL_MEMBER_NAMES,
  type AdditionalMember,
  type ContentMember,
} from '../../../contract/additional-members.ts'
import { gtinOf } from '../../model/gtin.ts'
import { madeSlug, slugWithoutTitle } from '../../model/slug.ts'
import type { ContentHalf } from '../../model/payload.ts'
import type { Basis } from '../basis.ts'
import type { CompiledAccount, CompiledStore } from '../compile.ts'
import { findAlt, statedAlts } from './image-alts.ts'
import { imageDetails } from './images.ts'
import type { EanInput, OfferInput, ProductInputs } from '../inputs.ts'
import { compareText } from '../sourcing/sourcing.ts'
import { findText } from './text.ts'

// Optional members of the content half that an account can enable (contract/additional-members.ts). Those of prices are in price.ts.

/** `updated_at` is not resolved: it depends on the stored payload (src/shelf/payloads/diff.ts). */
type Resolved = Exclude<ContentMember, 'updated_at'>
type Members = { [Member in Resolved]: NonNullable<ContentHalf[Member]> }

/** Finds a member in two steps: first what is the same in every store, then per store. */
type Finding<T> = (compiled: CompiledAccount, product: ProductInputs, basis: Basis) => (inStore: CompiledStore) => T

const sharedBy =
  <T>(find: (product: ProductInputs, basis: Basis) => T): Finding<T> =>
  (_, product, basis) => {
    const value = find(product, basis)
    return () => value
  }

const RESOLVED: { [Member in Resolved]: Finding<Members[Member]> } = {
  eans: sharedBy(({ eans }, { fields, sources }) => findEans(eans, fields.ean?.value ?? null, sources)),
  image_details: (compiled, { overrides }, { images, shownImages, sources }) => {
    const alts = statedAlts(overrides, compiled.sources.of('images', sources))
    if (alts !== null)
      return ({ texts }) => imageDetails(images, shownImages, (url) => findAlt(alts, texts, url)?.value ?? null)
    const details = imageDetails(images, shownImages, () => null)
    return () => details
  },
  created_at: sharedBy(({ createdAt }) => createdAt),
  slug: (compiled, product, { sources }) => {
    const titles = compiled.sources.of('title', sources)
    // a slug that is not registered yet is shown by previews as the product would take it
    return (inStore) =>
      slugIn(product, inStore.store.storeId) ??
      wantedSlug(inStore, product, titles) ??
      slugWithoutTitle(product.productId)
  },
}

export const slugIn = ({ slugs }: Pick<ProductInputs, 'slugs'>, storeId: number): string | undefined =>
  slugs.find((row) => row.storeId === storeId)?.slug

/** The slug that a product needs in a store that lists it; null if it has no title yet. @param titles offers in source order for titles. */
export function wantedSlug(
  { texts, store }: CompiledStore,
  product: ProductInputs,
  titles: readonly OfferInput[],
): string | null {
  const title = findText('title', texts, product.overrides, titles)?.value ?? null
  return madeSlug(title, store.locale, product.productId)
}

const RESOLVED_NAMES = Object.keys(RESOLVED) as Resolved[]

/** The enabled members of one product, by store. */
export function additionalMembers(
  compiled: CompiledAccount,
  product: ProductInputs,
  basis: Basis,
): (inStore: CompiledStore) => Partial<Members> {
  const { additionalMembers: named } = compiled.account
  if (named.length === 0) return () => ({})
  const finding: [Resolved, (inStore: CompiledStore) => Members[Resolved]][] = []
  for (const member of RESOLVED_NAMES)
    if (named.includes(member)) finding.push([member, RESOLVED[member](compiled, product, basis)])
  return (inStore) => {
    const found: { [Member in Resolved]?: Members[Resolved] } = {}
    for (const [member, valueIn] of finding) found[member] = valueIn(inStore)
    return found as Partial<Members>
  }
}

/** The names that this release knows: a newer one may have stored more. */
export const knownMembers = (names: readonly string[]): AdditionalMember[] =>
  ADDITIONAL_MEMBER_NAMES.filter((member) => names.includes(member))

/**
 * The primary EAN, then the others of the owner and the account's suppliers in text order, regardless of supplier priority, so that the order
 * depends on the EANs alone. Of several spellings of one GTIN, the first.
 */
export function findEans(eans: readonly EanInput[], primary: string | null, offers: Basis['sources']): string[] {
  const stated = eans.filter(
    ({ supplierId, supplierSku }) =>
      supplierId === 0 || offers.some((offer) => offer.supplierId === supplierId && offer.supplierSku === supplierSku),
  )
  const ordered = stated.map(({ ean }) => ean).sort(compareText)
  const all = [...new Set(primary === null ? ordered : [primary, ...ordered])]
  // at most one EAN, like most products
  if (all.length < 2) return all
  const distinct = new Map<string, string>()
  for (const ean of all) {
    const article = gtinOf(ean) ?? ean
    if (!distinct.has(article)) distinct.set(article, ean)
  }
  return [...distinct.values()]
}
