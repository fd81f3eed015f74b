import * as fc from 'fast-check'
import type { CostTier } from '../../src/model/offer.ts'
import type { TierInput } from '../../src/resolve/inputs.ts'

/** Tiers of rules and of suppliers, by ascending quantity; prices and costs need not fall. */
export function arbitraryTiers(amount: fc.Arbitrary<string>) {
  const tiers: fc.Arbitrary<TierInput[]> = fc
    .uniqueArray(fc.integer({ min: 2, max: 1_000_000 }), { minLength: 1, maxLength: 4 })
    .chain((quantities) =>
      fc.tuple(
        ...quantities
          .toSorted((a, b) => a - b)
          .map((quantity) =>
            fc.oneof(
              fc
                .constantFrom('0.0001', '5', '33.3333', '99.9999')
                .map((of): TierInput => ({ quantity, by: 'percent_off', amount: of })),
              fc
                .tuple(fc.constantFrom('amount_off' as const, 'price' as const), amount)
                .map(([by, of]): TierInput => ({ quantity, by, amount: of })),
            ),
          ),
      ),
    )
  const costTiers: fc.Arbitrary<CostTier[]> = fc
    .uniqueArray(fc.record({ quantity: fc.integer({ min: 2, max: 1_000_000 }), cost: amount }), {
      minLength: 1,
      maxLength: 4,
      selector: (tier) => tier.quantity,
    })
    .map((tiers) => tiers.toSorted((a, b) => a.quantity - b.quantity))
  return { tiers, costTiers }
}
