import { EXCLUSION_RULES } from '../../../contract/sources.ts'
import { exclusionRulesList } from '../../catalog/settings/exclusion-rules.sql.ts'
import {
  createExclusionRule,
  deleteExclusionRule,
  editExclusionRule,
  type NewExclusionRule,
} from '../../catalog/settings/exclusion-rules.ts'
import type { ExclusionRuleInput } from '../../resolve/inputs.ts'
import { collectionRoutes } from './collection.ts'
import { toFields, toMembers, withDecimals } from './members.ts'

/** /v1/account/exclusion-rules */
export const exclusionRuleSources = collectionRoutes<ExclusionRuleInput>({
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
  create: (tx, accountId, members) =>
    createExclusionRule(tx, accountId, toFields<NewExclusionRule>(withDecimals(members, ['amount']))),
  edit: (tx, accountId, row, { reason, ...members }) =>
    editExclusionRule(tx, accountId, row.ruleId, {
      ...toFields(withDecimals(members, ['amount'])),
      // without words of its own a rule says its kind
      ...(reason === undefined ? {} : { reason: (reason ?? members['kind'] ?? row.kind) as string }),
    }),
  remove: (tx, accountId, row) => deleteExclusionRule(tx, accountId, row.ruleId),
})
