import { ASSORTMENT_RULES } from '../../../../contract/account-resources.ts'
import { noConditions } from '../../../../contract/rule-conditions.ts'
import {
  assortmentRuleGet,
  assortmentRulesList,
  assortmentRulesOrder,
  assortmentRulesPage,
} from '../../../catalog/settings/rules/assortment-rules.sql.ts'
import {
  createAssortmentRule,
  deleteAssortmentRule,
  editAssortmentRule,
  editedAssortmentRule,
  newAssortmentRule,
} from '../../../catalog/settings/rules/assortment-rules.ts'
import type { AssortmentRuleInput } from '../../../resolve/inputs.ts'
import { collection, type Collection } from '../collection.ts'
import { toFields, toMembers } from '../member-names.ts'
import { planner } from './planner.ts'

const DEFAULTS = { priority: 100, is_active: true, ...toMembers(noConditions('assortment')) }

const ASSORTMENT = {
  resource: ASSORTMENT_RULES,
  list: assortmentRulesList,
  apart: { get: assortmentRuleGet, page: assortmentRulesPage },
  keyOf: (row: AssortmentRuleInput) => row.ruleId,
  represent: ({ ruleId, ...fields }: AssortmentRuleInput) => ({ id: ruleId, ...toMembers(fields) }),
  defaults: DEFAULTS,
  create: (tx, accountId, members) => createAssortmentRule(tx, accountId, toFields(members)),
  edit: (tx, accountId, row, members) => editAssortmentRule(tx, accountId, row.ruleId, toFields(members)),
  remove: (tx, accountId, row) => deleteAssortmentRule(tx, accountId, row.ruleId),
} satisfies Collection<typeof ASSORTMENT_RULES, AssortmentRuleInput, keyof typeof DEFAULTS>

/** /v1/account/assortment-rules */
export const assortmentRules = collection(ASSORTMENT)

/** Planned changes of assortment rules, for previews. */
export const assortmentRulePlans = planner(ASSORTMENT, {
  order: assortmentRulesOrder,
  create: (reader, accountId, members) => newAssortmentRule(reader, accountId, toFields(members)),
  edit: (reader, accountId, row, members) => editedAssortmentRule(reader, accountId, row, toFields(members)),
})
