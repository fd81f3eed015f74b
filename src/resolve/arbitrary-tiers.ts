import { TIER_BYS } from '../../contract/tiers.ts'
import { pick, type Draw } from './draws.ts'
import type { TierInput } from './inputs.ts'

/** Quantities rise; whether prices fall is left to chance, as it is where tiers of different kinds meet costs. */
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
