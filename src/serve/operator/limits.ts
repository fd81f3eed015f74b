import { BUDGET_NAMES, isBudgetName, type BudgetName } from '../../../contract/account-limits.ts'
import {
  DELETE_OPERATOR_LIMIT,
  LIST_OPERATOR_LIMITS,
  PUT_OPERATOR_LIMIT,
} from '../../../contract/routes/provisioning.ts'
import { setLimit, unsetLimit } from '../../accounts/limits/limits.ts'
import { accountLimits, limitMembers } from '../../overview/account-limits.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { must } from '../../platform/must.ts'
import { answerData } from '../account/answer-read.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { answerOperatorWrite, requireAccount } from './write.ts'

function budgetIn({ budget }: { budget: string }): BudgetName {
  if (isBudgetName(budget)) return budget
  throw new ShelfwireError('unknown-reference', `there is no budget of this name: ${BUDGET_NAMES.join(', ')}`)
}

/** Limits of an account. */
export const operatorLimitHandlers: Handlers = (app, context) => {
  const { db, wake } = context
  handle(app, LIST_OPERATOR_LIMITS, async (call) => {
    const { account_id: accountId } = call.params
    await requireAccount(db, accountId)
    return answerData(call, (await accountLimits(db, accountId, 0)).map(limitMembers), {})
  })
  handle(app, PUT_OPERATOR_LIMIT, async ({ params, body: { limit: amount }, request, reply }) => {
    const { account_id: accountId } = params
    const budget = budgetIn(params)
    const answered = await answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      await setLimit(tx, accountId, { budget, amount })
      const rows = await accountLimits(tx, accountId, 0)
      return { status: 200, data: limitMembers(must(rows.find((row) => row.budget === budget))) }
    })
    // notifies all processes, because they cache limits
    wake.notify('directory', accountId)
    return answered
  })
  handle(app, DELETE_OPERATOR_LIMIT, async ({ params, request, reply }) => {
    const { account_id: accountId } = params
    const budget = budgetIn(params)
    const answered = await answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      await unsetLimit(tx, accountId, budget)
      return { status: 204 }
    })
    wake.notify('directory', accountId)
    return answered
  })
}
