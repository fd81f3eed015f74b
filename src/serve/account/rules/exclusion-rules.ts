import type { ChangedMembers, NewMembers } from '../../../../contract/account-resource.ts'
import { EXCLUSION_RULES } from '../../../../contract/account-resources.ts'
import {
  exclusionRuleGet,
  exclusionRulesList,
  exclusionRulesOrder,
  exclusionRulesPage,
} from '../../../catalog/settings/rules/exclusion-rules.sql.ts'
import {
  createExclusionRule,
  deleteExclusionRule,
  editedExclusionRule,
  editExclusionRule,
  newExclusionRule,
  type ExclusionRuleChanges,
  type NewExclusionRule,
} from '../../../catalog/settings/rules/exclusion-rules.ts'
import type { ExclusionRuleInput } from '../../../resolve/inputs.ts'
import { collection, type Collection } from '../collection.ts'
import { toDecimals } from '../decimals.ts'
import { toFields, toMembers } from '../member-names.ts'
import { planner } from './planner.ts'

const DEFAULTS = {
  priority: 100,
  is_active: true,
  store_ids: null,
  names: null,
  supplier_ids: null,
  amount: null,
  currency: null,
}
type Defaulted = keyof typeof DEFAULTS

const EXCLUSIONS = {
  resource: EXCLUSION_RULES,
  list: exclusionRulesList,
  apart: { get: exclusionRuleGet, page: exclusionRulesPage },
  keyOf: (row: ExclusionRuleInput) => row.ruleId,
  represent: ({ ruleId, ...fields }: ExclusionRuleInput) => ({ id: ruleId, ...toMembers(fields) }),
  defaults: DEFAULTS,
  create: (tx, accountId, members) => createExclusionRule(tx, accountId, inputOf(members)),
  edit: (tx, accountId, row, members) => editExclusionRule(tx, accountId, row.ruleId, changesOf(row, members)),
  remove: (tx, accountId, row) => deleteExclusionRule(tx, accountId, row.ruleId),
} satisfies Collection<typeof EXCLUSION_RULES, ExclusionRuleInput, Defaulted>

/** /v1/account/exclusion-rules */
export const exclusionRules = collection(EXCLUSIONS)

/** Planned changes of exclusion rules, for previews. */
export const exclusionRulePlans = planner(EXCLUSIONS, {
  order: exclusionRulesOrder,
  create: (reader, accountId, members) => newExclusionRule(reader, accountId, inputOf(members)),
  edit: (reader, accountId, row, members) => editedExclusionRule(reader, accountId, row, changesOf(row, members)),
})

function inputOf(members: NewMembers<typeof EXCLUSION_RULES, Defaulted>): NewExclusionRule {
  return toFields(toDecimals(members, ['amount']))
}

function changesOf(
  row: ExclusionRuleInput,
  { reason, ...members }: ChangedMembers<typeof EXCLUSION_RULES, Defaulted>,
): ExclusionRuleChanges {
  return {
    ...toFields(toDecimals(members, ['amount'])),
    // null resets the reason to its default, the rule's kind
    ...(reason === undefined ? {} : { reason: reason ?? members.kind ?? row.kind }),
  }
}
