import type { Tx } from '../../../db/sql.ts'

/**
 * Marks the products of which a supplier's offer or an override says that a sale begins or ends between two days. Two indexes find these few among
 * many. Only price halves can change. A product is also marked if the sale is not taken from that source; shelving it then changes nothing.
 * @param before the day that is over. @param day the new one. Both `YYYY-MM-DD`.
 */
export async function salesTurn(tx: Tx, accountId: number, before: string, day: string): Promise<void> {
  // a large account's sales may all begin on one day
  await tx.allowLongStatements()
  await tx`
    insert into mark (account_id, product_id, half)
    select ${accountId}, product_id, 'price' from (
      select product_id from offer_content
      where account_id = ${accountId} and sale_begins_on is not null and sale_begins_on > ${before} and sale_begins_on <= ${day}
      union
      select product_id from offer_content
      where account_id = ${accountId} and sale_ends_on is not null and sale_ends_on >= ${before} and sale_ends_on < ${day}
      union
      select product_id from product_override
      where account_id = ${accountId} and field = 'sale_begins_on' and value > ${before} and value <= ${day}
      union
      select product_id from product_override
      where account_id = ${accountId} and field = 'sale_ends_on' and value >= ${before} and value < ${day}
    ) turning`
}
