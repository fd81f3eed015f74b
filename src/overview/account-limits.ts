import { BUDGET_NAMES, NEAR_SHARE, type BudgetName } from '../../contract/account-limits.ts'
import { limitsOf } from '../accounts/limits/limits.sql.ts'
import { withDefaults } from '../accounts/limits/limits.ts'
import { usesOf } from '../accounts/limits/use.sql.ts'
import { ACCOUNT_BUCKETS, accountRates } from '../accounts/token-rates.sql.ts'
import { membersList } from '../accounts/members.sql.ts'
import { tokensList } from '../accounts/tokens.sql.ts'
import { categoriesUse } from '../catalog/settings/content/categories.sql.ts'
import { attributeBytes } from '../catalog/settings/content/attribute-definitions.sql.ts'
import { ruleValueBytes } from '../catalog/settings/rules/rule-rows.sql.ts'
import type { Reader } from '../db/sql.ts'
import { invitationsList } from '../people/links.sql.ts'
import { limitsByDefault } from '../platform/limits/account-limits.ts'
import { budgetUses } from './budget-uses.sql.ts'

/** The use and limit of a budget of an account. */
export interface AccountLimit {
  budget: BudgetName
  used: number
  /** null: unlimited. */
  limit: number | null
  default: number | null
  /** Whether the operator has set it for this account. */
  isSet: boolean
  isNear: boolean
}

/** The same with the member names of the operator's API. */
export const limitMembers = ({ budget, used, limit, default: byDefault, isSet, isNear }: AccountLimit) => ({
  budget,
  used,
  limit,
  default: byDefault,
  is_set: isSet,
  is_near: isNear,
})

/** All budgets of an account. @param concurrent requests that this process is answering for the account */
export async function accountLimits(reader: Reader, accountId: number, concurrent: number): Promise<AccountLimit[]> {
  const [set, counted, few, tokens, members, invitations, ruleBytes, ofAttributes, ofCategories, rates] =
    await Promise.all([
      limitsOf(reader, accountId),
      usesOf(reader, accountId),
      budgetUses(reader, accountId),
      tokensList(reader, accountId),
      membersList(reader, accountId),
      invitationsList(reader, accountId),
      ruleValueBytes(reader, accountId),
      attributeBytes(reader, accountId),
      categoriesUse(reader, accountId),
      accountRates(reader, accountId),
    ])
  const uses = new Map<BudgetName, number>([...counted, ...few].map(({ budget, used }) => [budget, used]))
  // an invited person may be a member already who cannot sign in yet
  uses.set('members', new Set([...members, ...invitations].map(({ email }) => email.toLowerCase())).size)
  uses.set('tokens', tokens.filter(({ revokedAt }) => revokedAt === null).length)
  uses.set('rule_bytes', ruleBytes)
  uses.set('attribute_bytes', ofAttributes)
  uses.set('category_bytes', ofCategories.bytes)
  uses.set('concurrent_requests', concurrent)
  for (const [budget, tokenId] of Object.entries(ACCOUNT_BUCKETS))
    uses.set(budget as keyof typeof ACCOUNT_BUCKETS, rates.find((row) => row.tokenId === tokenId)?.taken ?? 0)
  const limits = withDefaults(set)
  const isSet = new Set(set.map(({ budget }) => budget))
  return BUDGET_NAMES.map((budget) => {
    const limit = limits[budget]
    const used = Math.max(0, uses.get(budget) ?? 0)
    return {
      budget,
      used,
      limit,
      default: limitsByDefault()[budget],
      isSet: isSet.has(budget),
      isNear: limit !== null && used >= limit * NEAR_SHARE,
    }
  })
}
