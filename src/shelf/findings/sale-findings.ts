import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { basisOf } from '../../resolve/basis.ts'
import type { CompiledAccount } from '../../resolve/compile.ts'
import type { ProductInputs } from '../../resolve/inputs.ts'
import { pricesIn } from '../../resolve/resolve.ts'
import { salePriceIn, saleOutcome, saleState } from '../../resolve/prices/sale-price.ts'
import { compileInTurns } from '../inputs/compiled-inputs.ts'
import { readAccountInputs, readPriceInputs } from '../inputs/read-inputs.ts'
import { productsOnSale, salesWithDoubtfulDays } from './sale-findings.sql.ts'

/** A sale that its source may not have meant so. */
export interface DoubtfulSale {
  productId: number
  /** null: the owner states it. */
  supplierId: number | null
  /** The last two: it is in force, and no store shows it, because its price is not below the price, or further below it than the guard lets a supplier's be. */
  reason: 'no_end' | 'ends_before_it_begins' | 'not_below_price' | 'too_far_below_price'
}

/** The account is read only where a source states a sale that is in force; of these the first LIMITS.findingsSalesMax products are looked at. */
export async function doubtfulSales(reader: Reader, accountId: number, limit: number): Promise<DoubtfulSale[]> {
  const [days, ids] = await Promise.all([
    salesWithDoubtfulDays(reader, accountId, limit),
    productsOnSale(reader, accountId, LIMITS.findingsSalesMax),
  ])
  if (ids.length === 0) return [...days]
  const [{ inputs }, products] = await Promise.all([
    readAccountInputs(reader, accountId),
    readPriceInputs(reader, accountId, ids),
  ])
  const compiled = await compileInTurns(inputs)
  // of a thousand products in every store: with turns for requests
  const hidden = await mapYielding(products, (product) => hiddenSale(compiled, product))
  return [...days, ...hidden.flat()].slice(0, limit)
}

/** Of a sale that is in force and that no store shows why it is not: of the first store that has prices. */
function hiddenSale(compiled: CompiledAccount, product: ProductInputs): DoubtfulSale[] {
  const basis = basisOf(compiled, product)
  const { sale } = basis
  if (product.isDeleted || sale === null || saleState(sale, compiled.account.day) !== 'in_force') return []
  const found: DoubtfulSale['reason'][] = []
  for (const inStore of compiled.stores) {
    const { shown } = pricesIn(compiled, inStore, product, basis)
    const amount = salePriceIn(sale, inStore.store.currency, compiled)
    if (shown.some((price) => price.sale !== null)) return []
    const [first] = shown
    if (first === undefined || amount === null) continue
    const outcome = saleOutcome(sale, first.computedPrice, amount, compiled.jumpFactor)
    found.push(outcome === 'guarded' ? 'too_far_below_price' : 'not_below_price')
  }
  const [reason] = found
  const supplierId = sale.source.from === 'supplier' ? sale.source.supplierId : null
  return reason === undefined ? [] : [{ productId: product.productId, supplierId, reason }]
}
