import { ASSORTMENT_RULES } from '../../../contract/sources.ts'
import { assortmentRulesList } from '../../catalog/settings/assortment-rules.sql.ts'
import {
  createAssortmentRule,
  deleteAssortmentRule,
  editAssortmentRule,
  type NewAssortmentRule,
} from '../../catalog/settings/assortment-rules.ts'
import type { AssortmentRuleInput } from '../../resolve/inputs.ts'
import { collectionRoutes } from './collection.ts'
import { toFields, toMembers } from './members.ts'

/** /v1/account/assortment-rules */
export const assortmentRuleSources = collectionRoutes<AssortmentRuleInput>({
  resource: ASSORTMENT_RULES,
  list: assortmentRulesList,
  keyOf: (row) => row.ruleId,
  represent: ({ ruleId, ...fields }) => ({ id: ruleId, ...toMembers(fields) }),
  defaults: { priority: 100, is_active: true, supplier_ids: null, manufacturers: null, categories: null },
  create: (tx, accountId, members) => createAssortmentRule(tx, accountId, toFields<NewAssortmentRule>(members)),
  edit: (tx, accountId, row, members) => editAssortmentRule(tx, accountId, row.ruleId, toFields(members)),
  remove: (tx, accountId, row) => deleteAssortmentRule(tx, accountId, row.ruleId),
})
