import { LIMITS } from '../../../platform/limits.ts'
import type { Check } from '../../../input/check.ts'
import { BOUNDS, compareDecimals } from '../../../input/decimal.ts'
import type { RuleInput, TierInput } from '../../../resolve/inputs.ts'

/**
 * Validates the tiers of a rule: quantities rise, and prices fall as far as the rule alone determines them. Tiers that depend on costs are checked
 * when prices are computed.
 * @returns the stored form; null if there are none.
 */
export function checkTiers(
  check: Check,
  { action, tiers, tiersAbovePrice, tiersFromSupplier, fixedPrice, addition }: Omit<RuleInput, 'ruleId'>,
): readonly TierInput[] | null {
  // with a fixed price, the cost has no effect: all tiers would be equal
  check.that(!tiersFromSupplier || action !== 'fixed', 'tiers_from_supplier', 'has no meaning with the action fixed')
  if (tiers === null || tiers.length === 0) return null
  check.that(
    !tiersFromSupplier,
    'tiers',
    'must be left out where tiers_from_supplier is true: tiers are the one or the other',
  )
  if (tiers.length > LIMITS.tiersPerRuleMax) {
    check.that(false, 'tiers', `must be at most ${LIMITS.tiersPerRuleMax}`)
    return tiers
  }
  const clean: TierInput[] = []
  for (const [i, { quantity, by, amount }] of tiers.entries()) {
    const at = (member: string) => `tiers[${i}].${member}`
    check.integer(at('quantity'), quantity, 2, LIMITS.tierQuantityMax)
    const before = clean.at(-1)
    check.that(
      before === undefined || quantity > before.quantity,
      at('quantity'),
      'must be above that of the tier before it',
    )
    const given = check.decimal(at(by), amount, by === 'percent_off' ? BOUNDS.tierPercent : BOUNDS.amount)
    check.that(given !== '0', at(by), 'must be above 0')
    if (by === 'percent_off') check.that(compareDecimals(given, '100') < 0, at(by), 'must be below 100')
    if (before?.by === by) {
      const difference = compareDecimals(given, before.amount)
      check.that(
        by === 'price' ? difference < 0 : difference > 0,
        at(by),
        by === 'price'
          ? 'must be below that of the tier before it: prices fall with the quantity'
          : 'must be above that of the tier before it: prices fall with the quantity',
      )
    }
    // with an addition, the price is not known here
    const isTooHigh =
      by === 'price' &&
      !tiersAbovePrice &&
      fixedPrice !== null &&
      addition === null &&
      compareDecimals(given, fixedPrice) >= 0
    check.that(!isTooHigh, at(by), 'must be below fixed_price, unless tiers_above_price is true')
    clean.push({ quantity, by, amount: given })
  }
  return clean
}
