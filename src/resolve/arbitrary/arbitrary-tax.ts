import { pick, drawEntries, type Draw } from './draws.ts'
import type { AccountInputs } from '../inputs.ts'

const FIRST_DAYS = ['2026-11-20', '2026-11-19', '2026-11-21', '2025-12-31'] as const
const PERCENTS = ['0', '7', '19', '5.5', '33.3333', '100'] as const

/** Adds tax to half of the accounts: classes, some without rates, countries of stores, groups and suppliers, and classes of categories. */
export function drawTax(draw: Draw, account: AccountInputs): AccountInputs {
  if (draw(1) === 0) return account
  const country = () => pick(draw, ['DE', 'PL', 'FI'])
  const rates = () =>
    drawEntries(
      draw,
      5,
      () => ({ country: country(), validFrom: pick(draw, FIRST_DAYS), percent: pick(draw, PERCENTS) }),
      (rate) => `${rate.country} ${rate.validFrom}`,
    )
  return {
    ...account,
    stores: account.stores.map((store) => {
      const taxCountry = draw(3) === 0 ? null : country()
      return { ...store, taxCountry, pricesIncludeTax: taxCountry !== null && draw(2) > 0 }
    }),
    groups: account.groups.map((group) => ({
      ...group,
      taxCountry: draw(3) === 0 ? country() : null,
      pricesIncludeTax: draw(2) === 0 ? draw(1) === 0 : null,
    })),
    categories: account.categories.map((category) => ({
      ...category,
      taxClass: draw(2) === 0 ? pick(draw, ['standard', 'reduced']) : null,
    })),
    suppliers: account.suppliers.map((supplier) => ({
      ...supplier,
      costTaxCountry: draw(3) === 0 ? country() : null,
      listPriceTax: draw(1) === 0 ? null : draw(2) === 0 ? 'none' : country(),
    })),
    taxClasses: [
      { key: 'standard', isDefault: draw(3) > 0, codes: [], rates: rates() },
      { key: 'reduced', isDefault: false, codes: ['r7', 'standard'], rates: rates() },
    ],
  }
}
