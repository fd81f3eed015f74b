import Type from 'typebox'
import { BUDGET_NAMES } from '../account-limits.ts'
import { readRoute } from '../route.ts'

// The limits of the account, and how much of each is used.

const Limit = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

export const AccountLimit = Type.Object(
  {
    budget: Type.String({ enum: [...BUDGET_NAMES], description: 'Name of the budget; more may be added.' }),
    description: Type.String({ description: 'What the budget counts, in English.' }),
    kind: Type.Union([Type.Literal('stock'), Type.Literal('rate'), Type.Literal('concurrent')], {
      description:
        'Kind of budget. `stock`: how much exists; `rate`: how much is done within `per`; `concurrent`: how much is done at the same time, in each process of the service.',
    }),
    unit: Type.Union([Type.Literal('count'), Type.Literal('bytes')], {
      description: 'Unit of `used`, `limit` and `default`. count: a number of things; bytes: a size.',
    }),
    per: Type.Union([Type.Literal('second'), Type.Literal('minute'), Type.Literal('hour'), Type.Null()], {
      description: 'Period of a rate; null for other kinds.',
    }),
    used: Type.Integer({
      minimum: 0,
      description:
        'Present use; for a rate, the use within the last `per`, as far as it has been reported by the processes of the service.',
    }),
    limit: Limit('Limit of the account. More is refused with `quota-exceeded`; null: no limit.'),
    default: Limit('Limit that applies if the operator has set none for this account; null: no limit.'),
    is_near: Type.Boolean({ description: 'Whether at least 80 % of the limit is used.' }),
  },
  { $id: 'AccountLimit', description: 'A budget of the account, with its use and its limit.' },
)

export const GET_ACCOUNT_LIMITS = readRoute({
  id: 'getAccountLimits',
  path: '/v1/account/limits',
  tag: 'account',
  summary: 'List the account’s budgets',
  description:
    'All budgets with their use and their limits. The operator of the service sets the limits, for one account or for all.',
  answer: {
    list: AccountLimit,
    meta: Type.Object(
      { raised_by: Type.Literal('operator', { description: 'Who can raise a limit.' }) },
      { description: 'About all limits of the list.' },
    ),
  },
  returns: 'All budgets.',
  problems: ['unknown-account'],
})
