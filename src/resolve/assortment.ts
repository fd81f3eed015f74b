import { byPriority, categoryTest, idTest, nameTest, type ProductFacts } from './conditions.ts'
import type { AssortmentRuleInput, StoreInput } from './inputs.ts'

/** What an assortment rule may ask. */
export interface AssortmentFacts extends ProductFacts {
  /** Suppliers that offer the product, in stock or not. */
  supplierIds: readonly number[]
}

export type AssortmentCondition = 'active' | 'supplier' | 'manufacturer' | 'category'

export interface CompiledAssortmentRule {
  rule: AssortmentRuleInput
  tests: readonly { name: AssortmentCondition; test: (facts: AssortmentFacts) => boolean }[]
}

/** A store's rules in the order in which they are tried. */
export function compileAssortment(rules: readonly AssortmentRuleInput[], storeId: number): CompiledAssortmentRule[] {
  return byPriority(rules.filter((rule) => rule.storeId === storeId)).map((rule) => {
    const tests: CompiledAssortmentRule['tests'][number][] = []
    if (!rule.isActive) tests.push({ name: 'active', test: () => false })
    if (rule.supplierIds !== null) {
      const isWanted = idTest(rule.supplierIds)
      tests.push({ name: 'supplier', test: (facts) => facts.supplierIds.some(isWanted) })
    }
    if (rule.manufacturers !== null) {
      const isWanted = nameTest(rule.manufacturers)
      tests.push({ name: 'manufacturer', test: (facts) => isWanted(facts.manufacturer) })
    }
    if (rule.categories !== null) {
      const isWanted = categoryTest(rule.categories)
      tests.push({ name: 'category', test: (facts) => isWanted(facts.category) })
    }
    return { rule, tests }
  })
}

export interface Listing {
  isListed: boolean
  by: 'deleted' | 'hand' | 'rule' | 'default'
  /** Of `rule`. */
  ruleId: number | null
}

/** Whether a store lists a product: the hand decides, else the first rule that matches, else the store's default. */
export function findListing(
  store: StoreInput,
  rules: readonly CompiledAssortmentRule[],
  product: { isDeleted: boolean; listings: readonly { storeId: number; isListed: boolean }[] },
  facts: AssortmentFacts,
): Listing {
  if (product.isDeleted) return { isListed: false, by: 'deleted', ruleId: null }
  const byHand = product.listings.find((entry) => entry.storeId === store.storeId)
  if (byHand !== undefined) return { isListed: byHand.isListed, by: 'hand', ruleId: null }
  for (const { rule, tests } of rules) {
    if (tests.every(({ test }) => test(facts))) return { isListed: rule.isListed, by: 'rule', ruleId: rule.ruleId }
  }
  return { isListed: store.listsByDefault, by: 'default', ruleId: null }
}
