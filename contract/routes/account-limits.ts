import Type from 'typebox'
import { BUDGET_NAMES } from '../account-limits.ts'
import { readRoute } from '../route.ts'

// The limits of the account, and how much of each is used.

const Limit = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

export const AccountLimit = Type.Object(
  {
    budget: Type.String({ enum: [...BUDGET_NAMES], description: 'Its name; further ones may come.' }),
    description: Type.String({ description: 'What is counted, in English.' }),
    kind: Type.Union([Type.Literal('stock'), Type.Literal('rate'), Type.Literal('concurrent')], {
      description:
        '`stock`: what is there; `rate`: what is done within `per`; `concurrent`: at the same time, in each process of the service.',
    }),
    unit: Type.Union([Type.Literal('count'), Type.Literal('bytes')]),
    per: Type.Union([Type.Literal('second'), Type.Literal('minute'), Type.Literal('hour'), Type.Null()], {
      description: 'Of a rate; else null.',
    }),
    used: Type.Integer({ minimum: 0, description: 'Of a rate: within the last `per`, as far as processes have told.' }),
    limit: Limit('What is refused above with `quota-exceeded`; null: there is none.'),
    default: Limit('What holds where the operator has set nothing for the account.'),
    is_near: Type.Boolean({ description: 'Whether 80 % of the limit or more are used.' }),
  },
  { $id: 'AccountLimit' },
)

export const GET_ACCOUNT_LIMITS = readRoute({
  id: 'getAccountLimits',
  path: '/v1/account/limits',
  tag: 'account',
  summary: 'List the account’s budgets',
  description:
    'Every budget with its use and its limit. Limits are set by the operator of the service, for each account or for all.',
  answer: {
    list: AccountLimit,
    meta: Type.Object({ raised_by: Type.Literal('operator', { description: 'Who can raise a limit.' }) }),
  },
  returns: 'All budgets.',
  problems: ['unknown-account'],
})
