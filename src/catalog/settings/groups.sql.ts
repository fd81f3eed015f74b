import type { Reader, Tx } from '../../db/sql.ts'
import { explainViolation } from '../../db/violations.ts'
import { must } from '../../platform/must.ts'

// Customer groups: each has a price in every payload.

export interface GroupRow {
  groupId: number
  name: string
  isDefault: boolean
}

/** All customer groups of the account by id. */
export function groupsList(reader: Reader, accountId: number) {
  return reader<GroupRow[]>`
    select group_id as "groupId", name, is_default as "isDefault"
    from customer_group where account_id = ${accountId} order by group_id`
}

export async function groupInsert(tx: Tx, accountId: number, name: string, isDefault: boolean): Promise<number> {
  const [row] = await tx<{ group_id: number }[]>`
    insert into customer_group (account_id, name, is_default) values (${accountId}, ${name}, ${isDefault})
    returning group_id`.catch((error: unknown) =>
    explainViolation(error, { customer_group_account_id_name_key: `a customer group "${name}" exists already` }),
  )
  return must(row).group_id
}

export async function groupRename(tx: Tx, accountId: number, groupId: number, name: string): Promise<boolean> {
  const result = await tx`
    update customer_group set name = ${name} where account_id = ${accountId} and group_id = ${groupId}`.catch(
    (error: unknown) =>
      explainViolation(error, { customer_group_account_id_name_key: `a customer group "${name}" exists already` }),
  )
  return result.count === 1
}

/** Deletes a group; the default group stays. */
export async function groupDelete(tx: Tx, accountId: number, groupId: number): Promise<boolean> {
  const result = await tx`
    delete from customer_group where account_id = ${accountId} and group_id = ${groupId} and not is_default`
  return result.count === 1
}
