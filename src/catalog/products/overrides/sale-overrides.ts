import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { overridesAt } from './overrides.sql.ts'
import type { OverrideWrite } from './write-overrides.ts'

export const SALE_DAYS = ['sale_begins_on', 'sale_ends_on'] as const
type SaleDay = (typeof SALE_DAYS)[number]

export const isSaleDay = <R extends Pick<OverrideWrite, 'field'>>(row: R): row is R & { field: SaleDay } =>
  row.field === 'sale_begins_on' || row.field === 'sale_ends_on'

/** Whether a sale with these days (`YYYY-MM-DD`) would never be in force. */
export const endsBeforeItBegins = (begins: string, ends: string): boolean => ends < begins

/**
 * Refuses an owner's sale that would end before it begins; a day that is not sent stays as it is stored. The caller has locked the products.
 * @param prefixOf of the names of faults, such as `12.`.
 * @throws ShelfwireError invalid-input.
 */
export async function refuseBackwardSales(
  tx: Tx,
  accountId: number,
  rows: readonly OverrideWrite[],
  prefixOf: (productId: number) => string,
): Promise<void> {
  const given = rows.filter(isSaleDay)
  if (given.length === 0) return
  const keys = [...new Set(given.map(({ productId }) => productId))].flatMap((productId) =>
    SALE_DAYS.map((field) => ({ productId, field, locale: '' })),
  )
  const days = new Map<string, string | null>()
  for (const { productId, field, value } of await overridesAt(tx, accountId, keys))
    days.set(`${productId} ${field}`, value)
  for (const { productId, field, value } of given) days.set(`${productId} ${field}`, value)
  const faults = keys.flatMap(({ productId, field }) => {
    if (field !== 'sale_ends_on') return []
    const begins = days.get(`${productId} sale_begins_on`) ?? null
    const ends = days.get(`${productId} sale_ends_on`) ?? null
    if (begins === null || ends === null || !endsBeforeItBegins(begins, ends)) return []
    const reason = `must not be before sale_begins_on, which is ${begins}: the sale would never be in force`
    return [{ name: `${prefixOf(productId)}sale_ends_on`, reason }]
  })
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('invalid-input', `${first.name} ${first.reason}`, { faults })
}
