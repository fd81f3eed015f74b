import type { Reader, Tx } from '../../../db/sql.ts'
import { explainViolation } from '../../../db/statements/violations.ts'
import { must } from '../../../platform/must.ts'

// Customer groups: each has a price in every payload.

export interface GroupRow {
  groupId: number
  name: string
  isDefault: boolean
  /** ISO 3166-1: the country whose tax its prices state, in stores that have a country; null: the store's. */
  taxCountry: string | null
  /** Whether its prices include tax, in stores that have a country; null: as in the store. */
  pricesIncludeTax: boolean | null
}

/** All customer groups of the account by id. */
export function groupsList(reader: Reader, accountId: number) {
  return reader<GroupRow[]>`
    select group_id as "groupId", name, is_default as "isDefault", tax_country as "taxCountry",
      prices_include_tax as "pricesIncludeTax"
    from customer_group where account_id = ${accountId} order by group_id`
}

export async function groupInsert(tx: Tx, accountId: number, group: Omit<GroupRow, 'groupId'>): Promise<number> {
  const { name, isDefault, taxCountry, pricesIncludeTax } = group
  const [row] = await tx<{ group_id: number }[]>`
    insert into customer_group (account_id, name, is_default, tax_country, prices_include_tax)
    values (${accountId}, ${name}, ${isDefault}, ${taxCountry}::text, ${pricesIncludeTax}::boolean)
    returning group_id`.catch((error: unknown) => explainTaken(error, name))
  return must(row).group_id
}

export async function groupUpdate(tx: Tx, accountId: number, group: GroupRow): Promise<void> {
  const { groupId, name, taxCountry, pricesIncludeTax } = group
  await tx`
    update customer_group set name = ${name}, tax_country = ${taxCountry}::text,
      prices_include_tax = ${pricesIncludeTax}::boolean
    where account_id = ${accountId} and group_id = ${groupId}`.catch((error: unknown) => explainTaken(error, name))
}

const explainTaken = (error: unknown, name: string): never =>
  explainViolation(error, { customer_group_account_id_name_key: `a customer group "${name}" exists already` })

/** Deletes a group; the default group stays. */
export async function groupDelete(tx: Tx, accountId: number, groupId: number): Promise<boolean> {
  const result = await tx`
    delete from customer_group where account_id = ${accountId} and group_id = ${groupId} and not is_default`
  return result.count === 1
}
