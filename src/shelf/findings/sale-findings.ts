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

/** A sale that is probably not meant as it is stated. */
export interface DoubtfulSale {
  productId: number
  /** null: stated by the owner. */
  supplierId: number | null
  /**
   * The last two are for sales in force that no store shows: the sale price is not below the price, or is so far below it that the jump guard does
   * not accept it from a supplier.
   */
  reason: 'no_end' | 'ends_before_it_begins' | 'not_below_price' | 'too_far_below_price'
}

/** Finds doubtful sales. Reads the account only if a source states a sale in force, and examines the first LIMITS.findingsSalesMax such products. */
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
  // up to a thousand products in every store: yields to requests in between
  const hidden = await mapYielding(products, (product) => hiddenSale(compiled, product))
  return [...days, ...hidden.flat()].slice(0, limit)
}

/** Why a sale in force is shown in no store: the reason in the first store that has prices. Empty where some store shows it. */
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
