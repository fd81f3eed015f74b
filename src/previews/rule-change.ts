import type { AccountInputs, AssortmentRuleInput, ExclusionRuleInput, RuleInput } from '../resolve/inputs.ts'

/** The kinds of rules whose changes can be previewed, with the type of a rule of each. */
export interface RuleOfKind {
  pricing: RuleInput
  exclusion: ExclusionRuleInput
  assortment: AssortmentRuleInput
}
export type RuleKind = keyof RuleOfKind

type ChangeOf<K extends RuleKind> = {
  kind: K
  /**
   * Changed rules, as checked by the code that writes them; null: deleted. If only their order changes, just the priorities. Plain
   * values that can be stored as JSON.
   */
  rules: readonly ({ ruleId: number; rule: RuleOfKind[K] | null } | { ruleId: number; priority: number })[]
}
export type RuleChange = { [K in RuleKind]: ChangeOf<K> }[RuleKind]

/** The id of a rule that does not exist yet: the highest, so that it is tried last among rules of one priority. */
export const NEW_RULE_ID = Number.MAX_SAFE_INTEGER

/** The account's inputs after the change. docs/decisions/118-a-preview-is-the-write-without-the-write.md says why. */
export function changedInputs(account: AccountInputs, change: RuleChange): AccountInputs {
  if (change.kind === 'pricing') return { ...account, rules: replaced(account.rules, change.rules) }
  if (change.kind === 'exclusion') return { ...account, exclusionRules: replaced(account.exclusionRules, change.rules) }
  return { ...account, assortmentRules: replaced(account.assortmentRules, change.rules) }
}

function replaced<R extends { ruleId: number; priority: number }>(
  rules: readonly R[],
  changed: readonly ({ ruleId: number; rule: R | null } | { ruleId: number; priority: number })[],
): R[] {
  const byId = new Map(rules.map((rule) => [rule.ruleId, rule]))
  for (const change of changed) {
    const { ruleId } = change
    const old = byId.get(ruleId)
    if ('priority' in change) {
      if (old !== undefined) byId.set(ruleId, { ...old, priority: change.priority })
    } else if (change.rule === null) byId.delete(ruleId)
    else byId.set(ruleId, change.rule)
  }
  return [...byId.values()]
}

/** Which products the changed rules name, before or after: the union of all rules' lists; null: no rule has such a condition. */
export interface Named {
  productIds: readonly number[] | null
  supplierIds: readonly number[] | null
  manufacturers: readonly string[] | null
  categories: readonly string[] | null
}

/** @returns null if a changed rule has none of these conditions: then any product may show the change. */
export function namedBy(account: AccountInputs, change: RuleChange): Named | null {
  const named = [...rulesOf(account, change), ...change.rules.map((entry) => ('rule' in entry ? entry.rule : null))]
    .filter((rule) => rule !== null)
    .map(conditionsOf)
  if (named.length === 0 || named.some((rule) => Object.values(rule).every((value) => value === null))) return null
  const any = <T>(pick: (rule: Named) => readonly T[] | null) => {
    const values = named.map(pick).filter((list) => list !== null)
    return values.length === 0 ? null : [...new Set(values.flat())]
  }
  return {
    productIds: any((rule) => rule.productIds),
    supplierIds: any((rule) => rule.supplierIds),
    manufacturers: any((rule) => rule.manufacturers),
    categories: any((rule) => rule.categories),
  }
}

type AnyRule = RuleOfKind[RuleKind]

function rulesOf(account: AccountInputs, { kind, rules }: RuleChange): readonly AnyRule[] {
  const ids = new Set(rules.map(({ ruleId }) => ruleId))
  const all: Record<RuleKind, readonly AnyRule[]> = {
    pricing: account.rules,
    exclusion: account.exclusionRules,
    assortment: account.assortmentRules,
  }
  return all[kind].filter(({ ruleId }) => ids.has(ruleId))
}

function conditionsOf(rule: AnyRule): Named {
  if (!('kind' in rule))
    return {
      productIds: 'productIds' in rule ? rule.productIds : null,
      supplierIds: rule.supplierIds,
      manufacturers: rule.manufacturers,
      categories: rule.categories,
    }
  return {
    productIds: null,
    supplierIds: rule.supplierIds,
    manufacturers: rule.kind === 'manufacturer' ? rule.names : null,
    categories: rule.kind === 'category' ? rule.names : null,
  }
}
