import { TIER_BYS } from '../../../contract/tiers.ts'
import { Exact } from '../../model/money.ts'
import type { CostTier } from '../../model/offer.ts'
import { pick, drawEntries, type Draw } from './draws.ts'
import type { TierInput } from '../inputs.ts'

/**
 * Tiers of ascending quantity. Their prices need not descend, as when tiers of different kinds are applied to various
 * costs.
 */
export function drawTiers(draw: Draw, amount: (draw: Draw) => string): TierInput[] {
  return ['2', '10', '500'].slice(draw(2)).map((quantity): TierInput => {
    const by = pick(draw, TIER_BYS)
    return {
      quantity: Number(quantity),
      by,
      amount: by === 'percent_off' ? pick(draw, ['5', '12.5', '33.3333', '99.9999']) : amount(draw),
    }
  })
}

/** Cost tiers of a supplier, mostly near its cost. */
export const drawCostTiers = (draw: Draw, cost: string | null): CostTier[] =>
  drawEntries(
    draw,
    3,
    () => ({
      quantity: 2 + draw(50),
      cost: new Exact(cost ?? '10')
        .times(pick(draw, ['0.9', '0.95', '0.5', '0.333333', '0.1', '1', '1.1']))
        .toDecimalPlaces(6)
        .toFixed(),
    }),
    ({ quantity }) => quantity,
  ).toSorted((a, b) => a.quantity - b.quantity)
