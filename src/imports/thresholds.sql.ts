import type { Reader } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { Thresholds } from './safety/judge.ts'

/** The limits above which an import of a supplier needs to be confirmed. @throws ShelfwireError `unknown-supplier` */
export async function thresholdsOf(reader: Reader, accountId: number, supplierId: number): Promise<Thresholds> {
  const [row] = await reader<Thresholds[]>`
    select zeroed_share_max::float8 as "zeroedShareMax", refused_share_max::float8 as "refusedShareMax",
      prices_lost_share_max::float8 as "pricesLostShareMax", prices_zero_share_max::float8 as "pricesZeroShareMax",
      prices_jump_share_max::float8 as "pricesJumpShareMax", prices_jump_factor::float8 as "pricesJumpFactor",
      emptied_share_max::float8 as "emptiedShareMax", swapped_share_max::float8 as "swappedShareMax"
    from supplier where account_id = ${accountId} and supplier_id = ${supplierId}`
  if (row === undefined) throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
  return row
}
