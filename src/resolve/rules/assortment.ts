import { ASSORTMENT_CONDITIONS, type ReasonOf } from '../../../contract/rule-conditions.ts'
import { byPriority, factTest } from './conditions.ts'
import { ASSORTMENT_FACTS, type AssortmentFacts } from './facts.ts'
import type { AssortmentRuleInput, ProductInputs, StoreInput } from '../inputs.ts'

export type AssortmentCondition = 'active' | ReasonOf<'assortment'>

export interface CompiledAssortmentRule {
  rule: AssortmentRuleInput
  tests: readonly { name: AssortmentCondition; test: (facts: AssortmentFacts) => boolean }[]
}

const ofAnySupplier = (isNamed: (id: number) => boolean) => (facts: AssortmentFacts) => facts.supplierIds.some(isNamed)

/** A store's assortment rules in the order in which they are tried. */
export function compileAssortment(rules: readonly AssortmentRuleInput[], storeId: number): CompiledAssortmentRule[] {
  return byPriority(rules.filter((rule) => rule.storeId === storeId)).map((rule) => {
    const tests: CompiledAssortmentRule['tests'][number][] = []
    if (!rule.isActive) tests.push({ name: 'active', test: () => false })
    for (const condition of ASSORTMENT_CONDITIONS) {
      const value = rule[condition.field]
      if (value === null) continue
      const test =
        condition.fact === 'supplier'
          ? ofAnySupplier(factTest(condition, value, (id: number) => id))
          : factTest(condition, value, ASSORTMENT_FACTS[condition.fact])
      tests.push({ name: condition.reason, test })
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

/** Whether a store cannot list a product whatever its facts are, so that they need not be found. */
export function isNeverListed(
  { storeId, listsByDefault }: StoreInput,
  rules: readonly CompiledAssortmentRule[],
  { listings }: Pick<ProductInputs, 'listings'>,
): boolean {
  const manual = listings.find((entry) => entry.storeId === storeId)
  return manual === undefined ? !listsByDefault && rules.every(({ rule }) => !rule.isListed) : !manual.isListed
}
