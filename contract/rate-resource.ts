import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { OneOf } from './one-of.ts'
import { CurrencyOf, Decimal, Null, Text } from './values.ts'

const Day = Type.String({ format: 'date' })

export const RATES = {
  path: 'rates',
  noun: 'exchange rate',
  key: { name: 'currency', isText: true, description: 'Currency (ISO 4217).' },
  fields: {
    currency: CurrencyOf('rate'),
    rate: Decimal(
      'Exchange rate: units of this currency for one unit of the account’s currency. Above 0, with at most 12 digits after the point.',
    ),
  },
  required: ['currency', 'rate'],
  fixed: ['currency'],
  given: {},
  state: {
    status: Type.Object(
      {
        from: OneOf(['hand', 'ecb'], {
          description:
            'Who set the rate last. hand: a person or a request; ecb: the daily update from the European Central Bank (see rates_from of the account).',
        }),
        day: Type.Union([Day, Null], {
          description: 'Day of the European Central Bank’s rate; null if the rate was set by hand.',
        }),
        held_rate: Type.Union([Text, Null], {
          description:
            'Held rate: a rate of the European Central Bank that differs too much to be taken over automatically. To accept it, set `rate` to it. null if none is held.',
        }),
        held_day: Type.Union([Day, Null], { description: 'Day of the held rate; null if none is held.' }),
      },
      { description: 'Source of the rate.' },
    ),
  },
  schema: 'RateResource',
  deletion: 'Deletes the rate. Offers and stores in this currency have no price until there is a rate again.',
} as const satisfies AccountResource
