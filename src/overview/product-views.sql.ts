import type { Reader, Tx } from '../db/sql.ts'
import { must } from '../platform/must.ts'

// Saved lists of products, per person.

export interface ProductViewRow {
  viewId: number
  name: string
  address: string
}

export function viewsList(reader: Reader, accountId: number, personId: number) {
  return reader<ProductViewRow[]>`
    select view_id as "viewId", name, address from product_view
    where account_id = ${accountId} and person_id = ${personId} order by lower(name), view_id`
}

/** Saves a view, in place of one with the same name. @returns its id. */
export async function viewPut(
  tx: Tx,
  accountId: number,
  personId: number,
  view: Omit<ProductViewRow, 'viewId'>,
): Promise<number> {
  const [row] = await tx<{ viewId: number }[]>`
    insert into product_view (account_id, person_id, name, address)
    values (${accountId}, ${personId}, ${view.name}, ${view.address})
    on conflict (account_id, person_id, lower(name)) do update set name = excluded.name, address = excluded.address
    returning view_id as "viewId"`
  return must(row).viewId
}

/** @returns whether the person had this view. */
export async function viewDelete(tx: Tx, accountId: number, personId: number, viewId: number): Promise<boolean> {
  const gone = await tx`
    delete from product_view where account_id = ${accountId} and person_id = ${personId} and view_id = ${viewId}`
  return gone.count > 0
}
