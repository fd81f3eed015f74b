import Type from 'typebox'
import type { TierBy } from './tiers.ts'
import { closed, Decimal, must, Null, optional, orNull, Text } from './values.ts'

// Members of a pricing rule that are objects or lists.

/** How prices are rounded, by the store's currency. */
export const Rounding = Type.Union(
  [
    Type.Record(
      Text,
      Type.Union(
        [
          Type.Object(
            optional({
              step: Decimal('Above 0.'),
              ending: Decimal('0 or more and below the step: 0.99 with step 1 gives 12.99.'),
              direction: Type.Union(
                [Type.Literal('up'), Type.Literal('down'), Type.Literal('nearest')],
                must('must be up, down or nearest'),
              ),
            }),
            closed,
          ),
          Null,
        ],
        must('must be an object of step, ending and direction'),
      ),
    ),
    Null,
  ],
  {
    description:
      'Currency of the store -> how its prices are rounded: step, ending and direction, all three. A patch of an existing one may name some of them.',
    ...must('must be an object by currency'),
  },
)

const Tier = Type.Object(
  {
    quantity: Type.Integer({ description: 'Pieces from which on it counts: 2 to 1000000.' }),
    ...optional({
      percent_off: Decimal('Off the price as it is shown: above 0 and below 100.'),
      amount_off: Decimal('Off the price as it is shown; above 0, in the rule’s currency.'),
      price: Decimal('The price as it is shown; above 0, in the rule’s currency.'),
    } satisfies Record<TierBy, Type.TSchema>),
  },
  { ...closed, description: 'One of percent_off, amount_off and price beside the quantity.' },
)

/** Prices from a minimum quantity on. */
export const Tiers = orNull(
  Type.Array(Tier, {
    description:
      'Prices from a quantity on, by rising quantity; at most 20. They follow from the price as it is shown, within the floors and the ceiling, rounded as it is; those that would not fall are left out. A list replaces the whole list.',
  }),
  'must be a list of tiers, each with a quantity and one of percent_off, amount_off and price',
)
