import { ASSORTMENT_RULES } from '../../../contract/account-resources.ts'
import { assortmentRulesList } from '../../catalog/settings/assortment-rules.sql.ts'
import {
  createAssortmentRule,
  deleteAssortmentRule,
  editAssortmentRule,
} from '../../catalog/settings/assortment-rules.ts'
import { collection } from './collection.ts'
import { toFields, toMembers } from './member-names.ts'

/** /v1/account/assortment-rules */
export const assortmentRules = collection({
  resource: ASSORTMENT_RULES,
  list: assortmentRulesList,
  keyOf: (row) => row.ruleId,
  represent: ({ ruleId, ...fields }) => ({ id: ruleId, ...toMembers(fields) }),
  defaults: { priority: 100, is_active: true, supplier_ids: null, manufacturers: null, categories: null },
  create: (tx, accountId, members) => createAssortmentRule(tx, accountId, toFields(members)),
  edit: (tx, accountId, row, members) => editAssortmentRule(tx, accountId, row.ruleId, toFields(members)),
  remove: (tx, accountId, row) => deleteAssortmentRule(tx, accountId, row.ruleId),
})
