import { byPriority, categoryTest, idTest, nameTest, type ProductFacts } from './conditions.ts'
import type { AssortmentRuleInput, StoreInput } from './inputs.ts'

/** What the conditions of an assortment rule look at. */
export interface AssortmentFacts extends ProductFacts {
  /** Suppliers that offer the product, in stock or not. */
  supplierIds: readonly number[]
}

export type AssortmentCondition = 'active' | 'supplier' | 'manufacturer' | 'category'

export interface CompiledAssortmentRule {
  rule: AssortmentRuleInput
  tests: readonly { name: AssortmentCondition; test: (facts: AssortmentFacts) => boolean }[]
}

/** A store's assortment rules in the order in which they are tried. */
export function compileAssortment(rules: readonly AssortmentRuleInput[], storeId: number): CompiledAssortmentRule[] {
  return byPriority(rules.filter((rule) => rule.storeId === storeId)).map((rule) => {
    const tests: CompiledAssortmentRule['tests'][number][] = []
    if (!rule.isActive) tests.push({ name: 'active', test: () => false })
    if (rule.supplierIds !== null) {
      const isNamed = idTest(rule.supplierIds)
      tests.push({ name: 'supplier', test: (facts) => facts.supplierIds.some(isNamed) })
    }
    if (rule.manufacturers !== null) {
      const isNamed = nameTest(rule.manufacturers)
      tests.push({ name: 'manufacturer', test: (facts) => isNamed(facts.manufacturer) })
    }
    if (rule.categories !== null) {
      const isNamed = categoryTest(rule.categories)
      tests.push({ name: 'category', test: (facts) => isNamed(facts.category) })
    }
    return { rule, tests }
  })
}

export interface Listing {
  isListed: boolean
  /** `hand`: set manually for this product and store. */
  by: 'deleted' | 'hand' | 'rule' | 'default'
  /** The rule that decided; null unless `by` is `rule`. */
  ruleId: number | null
}

/**
 * Whether a store lists a product: a manual listing decides, else the first rule that matches, else the store's
 * default.
 */
export function findListing(
  store: StoreInput,
  rules: readonly CompiledAssortmentRule[],
  product: { isDeleted: boolean; listings: readonly { storeId: number; isListed: boolean }[] },
  facts: AssortmentFacts,
): Listing {
  if (product.isDeleted) return { isListed: false, by: 'deleted', ruleId: null }
  const manual = product.listings.find((entry) => entry.storeId === store.storeId)
  if (manual !== undefined) return { isListed: manual.isListed, by: 'hand', ruleId: null }
  for (const { rule, tests } of rules) {
    if (tests.every(({ test }) => test(facts))) return { isListed: rule.isListed, by: 'rule', ruleId: rule.ruleId }
  }
  return { isListed: store.listsByDefault, by: 'default', ruleId: null }
}
