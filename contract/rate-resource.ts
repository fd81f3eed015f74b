import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { OneOf } from './one-of.ts'
import { Decimal, Null, Text } from './values.ts'

const Day = Type.String({ format: 'date' })

export const RATES = {
  path: 'rates',
  noun: 'exchange rate',
  key: { name: 'currency', isText: true, description: 'ISO 4217.' },
  fields: {
    currency: Text,
    rate: Decimal(
      'How many units of this currency one unit of the account’s currency buys; above 0, at most 12 digits after the point.',
    ),
  },
  required: ['currency', 'rate'],
  fixed: ['currency'],
  given: {},
  state: {
    status: Type.Object(
      {
        from: OneOf(['hand', 'ecb'], {
          description: 'Who set it last: somebody, or the European Central Bank’s rates (rates_from of the account).',
        }),
        day: Type.Union([Day, Null], { description: 'Of which day the bank’s rate is; null: it was set by hand.' }),
        held_rate: Type.Union([Text, Null], {
          description:
            'The bank’s rate that differs too much to be taken over by itself; setting rate to it takes it over. null: none is held.',
        }),
        held_day: Type.Union([Day, Null], { description: 'Of which day the held rate is.' }),
      },
      { description: 'Where the rate comes from.' },
    ),
  },
  schema: 'RateResource',
  deletion: 'Offers and stores in that currency have no price until there is a rate again.',
} as const satisfies AccountResource
