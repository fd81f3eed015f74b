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
              step: Decimal('Step to which prices are rounded; above 0.'),
              ending: Decimal(
                'Ending of rounded prices, from 0 to below the step: 0.99 with step 1 gives prices such as 12.99.',
              ),
              direction: Type.Union([Type.Literal('up'), Type.Literal('down'), Type.Literal('nearest')], {
                description:
                  'Direction of rounding; nearest: to the nearest such price, of two equally near ones to the higher one.',
                ...must('must be up, down or nearest'),
              }),
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
      'Rounding of prices by the store’s currency; each needs step, ending and direction. A patch of an existing rounding may contain only some of them.',
    ...must('must be an object by currency'),
  },
)

const Tier = Type.Object(
  {
    quantity: Type.Integer({ description: 'Minimum number of pieces for this tier: 2 to 1000000.' }),
    ...optional({
      percent_off: Decimal('Percentage off the price as it is shown; above 0 and below 100.'),
      amount_off: Decimal('Amount off the price as it is shown; above 0, in the rule’s currency.'),
      price: Decimal('Price of one piece as it is shown; above 0, in the rule’s currency.'),
    } satisfies Record<TierBy, Type.TSchema>),
  },
  { ...closed, description: 'A tier: the quantity and one of percent_off, amount_off and price.' },
)

/** Prices from a minimum quantity on. */
export const Tiers = orNull(
  Type.Array(Tier, {
    description:
      'Tier prices: prices from a minimum quantity on, by rising quantity; at most 20. They are calculated from the price as it is shown, kept within the floors and the ceiling, and rounded like the price; tiers that would not be lower are left out. A list replaces the whole list.',
  }),
  'must be a list of tiers, each with a quantity and one of percent_off, amount_off and price',
)
