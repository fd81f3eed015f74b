import { findListing } from './rules/assortment.ts'
import { basisOf } from './basis.ts'
import type { CompiledAccount } from './compile.ts'
import { findExclusions } from './rules/exclusion.ts'
import type { ProductInputs } from './inputs.ts'
import { exclusionFacts, pricesIn } from './resolve.ts'
import { findText } from './content/text.ts'

/** The rules that affect a product, without duplicates over all stores. */
export interface RulesReached {
  /** Rules that make a price, held or not. */
  pricing: ReadonlySet<number>
  /** Rules that exclude it, also if there is another reason. */
  exclusion: ReadonlySet<number>
  /** Rules that decide whether a store lists it. */
  assortment: ReadonlySet<number>
}

/**
 * The rules that affect a product. Needs the product's whole inputs; price inputs suffice if the account
 * `isPriceAlone`.
 */
export function rulesReaching(compiled: CompiledAccount, product: ProductInputs): RulesReached {
  const pricing = new Set<number>()
  const exclusion = new Set<number>()
  const assortment = new Set<number>()
  if (product.isDeleted) return { pricing, exclusion, assortment }
  const basis = basisOf(compiled, product)
  const titles = compiled.sources.of('title', basis.sources)
  for (const inStore of compiled.stores) {
    const { store } = inStore
    const listing = findListing(store, inStore.assortment, product, basis.facts)
    if (listing.by === 'rule' && listing.ruleId !== null) assortment.add(listing.ruleId)
    if (!listing.isListed) continue
    const { computed, shown } = pricesIn(compiled, inStore, product, basis)
    for (const { ruleId } of computed) pricing.add(ruleId)
    const title = findText('title', inStore.texts, product.overrides, titles)?.value ?? null
    const facts = exclusionFacts(compiled, basis, title, shown)
    const found = findExclusions(store.storeId, inStore.exclusions, product.exclusions, facts, shown.length > 0, false)
    for (const { ruleId } of found) if (ruleId !== null) exclusion.add(ruleId)
  }
  return { pricing, exclusion, assortment }
}
