import { budgetOf } from '../../../../contract/account-limits.ts'
import { GET_ACCOUNT_LIMITS } from '../../../../contract/routes/account-limits.ts'
import { accountLimits } from '../../../overview/account-limits.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerData } from '../answer-read.ts'

/** GET /v1/account/limits: what the account uses of each budget. */
export const limitHandlers: Handlers = (app, context) =>
  handle(app, GET_ACCOUNT_LIMITS, async (call) => {
    const { accountId } = call.caller
    const limits = await accountLimits(context.db, accountId, context.places.of(accountId))
    const data = limits.map(({ budget, used, limit, default: byDefault, isNear }) => {
      const { description, kind, unit, per = null } = budgetOf(budget)
      return { budget, description, kind, unit, per, used, limit, default: byDefault, is_near: isNear }
    })
    return answerData(call, data, { raised_by: 'operator' })
  })
