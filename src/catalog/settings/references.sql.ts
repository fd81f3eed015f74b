import type { Reader } from '../../db/sql.ts'

/** What a rule can refer to by id. */
export interface References {
  storeIds: readonly number[]
  groupIds: readonly number[]
  productIds: readonly number[]
  supplierIds: readonly number[]
}

/** Of these ids, those that the account does not have or that are deleted. */
export function referencesMissing(reader: Reader, accountId: number, named: References) {
  return reader<{ kind: keyof References; id: number }[]>`
    select 'storeIds' as kind, id from unnest(${[...named.storeIds]}::bigint[]) as given (id)
      where not exists (select from store where account_id = ${accountId} and store_id = id and deleted_at is null)
    union all
    select 'groupIds', id from unnest(${[...named.groupIds]}::bigint[]) as given (id)
      where not exists (select from customer_group where account_id = ${accountId} and group_id = id)
    union all
    select 'supplierIds', id from unnest(${[...named.supplierIds]}::bigint[]) as given (id)
      where not exists (select from supplier where account_id = ${accountId} and supplier_id = id and deleted_at is null)
    union all
    select 'productIds', id from unnest(${[...named.productIds]}::bigint[]) as given (id)
      where not exists (
        select from product where account_id = ${accountId} and product_id = id and deleted_at is null)`
}
