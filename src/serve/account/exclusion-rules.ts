import { EXCLUSION_RULES } from '../../../contract/account-resources.ts'
import { exclusionRulesList } from '../../catalog/settings/exclusion-rules.sql.ts'
import { createExclusionRule, deleteExclusionRule, editExclusionRule } from '../../catalog/settings/exclusion-rules.ts'
import { collection } from './collection.ts'
import { toDecimals } from './decimals.ts'
import { toFields, toMembers } from './member-names.ts'

/** /v1/account/exclusion-rules */
export const exclusionRules = collection({
  resource: EXCLUSION_RULES,
  list: exclusionRulesList,
  keyOf: (row) => row.ruleId,
  represent: ({ ruleId, ...fields }) => ({ id: ruleId, ...toMembers(fields) }),
  defaults: {
    priority: 100,
    is_active: true,
    store_ids: null,
    names: null,
    supplier_ids: null,
    amount: null,
    currency: null,
  },
  create: (tx, accountId, members) => createExclusionRule(tx, accountId, toFields(toDecimals(members, ['amount']))),
  edit: (tx, accountId, row, { reason, ...members }) =>
    editExclusionRule(tx, accountId, row.ruleId, {
      ...toFields(toDecimals(members, ['amount'])),
      // a rule without a reason shows its kind
      ...(reason === undefined ? {} : { reason: reason ?? members.kind ?? row.kind }),
    }),
  remove: (tx, accountId, row) => deleteExclusionRule(tx, accountId, row.ruleId),
})
