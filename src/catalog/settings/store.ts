import { explainViolation, type Reader, type Tx } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import type { SourceField, SourceOrderInput } from '../../resolve/inputs.ts'

// What prices and labels of a whole account depend on: groups, rates, attribute definitions, orders of sources.

export interface GroupRow {
  groupId: number
  name: string
  isDefault: boolean
}

export interface RateRow {
  currency: string
  rate: string
}

export interface AttributeDefinitionRow {
  key: string
  /** For locales that `units` does not name. */
  unit: string | null
  units: Record<string, string>
  position: number
  labels: Record<string, string>
  /** Value as suppliers state it -> locale -> text shown. */
  options: Record<string, Record<string, string>>
}

/**
 * Holds what the account's products share to the end of the transaction, so that writes of it take turns. Whoever takes
 * other locks too takes this one first.
 * @throws HouseError unknown-account.
 */
export async function accountInputsLock(tx: Tx, accountId: number): Promise<void> {
  const rows = await tx`select from account_inputs where account_id = ${accountId} for no key update`
  if (rows.length === 0) throw new HouseError('unknown-account', `there is no account ${accountId}`)
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
    explainViolation(error, { customer_group_account_id_name_key: `a customer group «${name}» exists already` }),
  )
  return row?.group_id ?? 0
}

export async function groupRename(tx: Tx, accountId: number, groupId: number, name: string): Promise<boolean> {
  const result = await tx`
    update customer_group set name = ${name} where account_id = ${accountId} and group_id = ${groupId}`.catch(
    (error: unknown) =>
      explainViolation(error, { customer_group_account_id_name_key: `a customer group «${name}» exists already` }),
  )
  return result.count === 1
}

/** Deletes a group; the default group stays. */
export async function groupDelete(tx: Tx, accountId: number, groupId: number): Promise<boolean> {
  const result = await tx`
    delete from customer_group where account_id = ${accountId} and group_id = ${groupId} and not is_default`
  return result.count === 1
}

/** All exchange rates of the account by currency. */
export function ratesList(reader: Reader, accountId: number) {
  return reader<RateRow[]>`
    select currency, trim_scale(rate)::text as rate from exchange_rate where account_id = ${accountId} order by currency`
}

export async function ratesUpsert(tx: Tx, accountId: number, rates: readonly RateRow[]): Promise<number> {
  const result = await tx`
    insert into exchange_rate (account_id, currency, rate)
    select ${accountId}, currency, rate
    from unnest(${rates.map((row) => row.currency)}::text[], ${rates.map((row) => row.rate)}::numeric[])
      as given (currency, rate)
    on conflict (account_id, currency) do update set rate = excluded.rate
    where exchange_rate.rate <> excluded.rate`
  return result.count
}

export async function rateDelete(tx: Tx, accountId: number, currency: string): Promise<boolean> {
  const result = await tx`delete from exchange_rate where account_id = ${accountId} and currency = ${currency}`
  return result.count === 1
}

const definitionColumns = (reader: Reader) => reader`key, unit, units, position, labels, options`

/** All attribute definitions of the account by key. */
export function attributeDefinitionsList(reader: Reader, accountId: number) {
  return reader<AttributeDefinitionRow[]>`
    select ${definitionColumns(reader)} from attribute_definition where account_id = ${accountId} order by key`
}

/** One definition, locked so that edits of it take turns. */
export async function attributeDefinitionLock(tx: Tx, accountId: number, key: string): Promise<AttributeDefinitionRow | undefined> {
  const [row] = await tx<AttributeDefinitionRow[]>`
    select ${definitionColumns(tx)} from attribute_definition where account_id = ${accountId} and key = ${key} for update`
  return row
}

/** Sets definitions as wholes. @returns how many of them are news. */
export async function attributeDefinitionsUpsert(
  tx: Tx,
  accountId: number,
  definitions: readonly AttributeDefinitionRow[],
): Promise<number> {
  const result = await tx`
    insert into attribute_definition (account_id, key, unit, units, position, labels, options)
    select ${accountId}, key, unit, units::jsonb, position, labels::jsonb, options::jsonb
    from unnest(${definitions.map((row) => row.key)}::text[], ${definitions.map((row) => row.unit)}::text[],
      ${definitions.map((row) => JSON.stringify(row.units))}::text[], ${definitions.map((row) => row.position)}::int[],
      ${definitions.map((row) => JSON.stringify(row.labels))}::text[],
      ${definitions.map((row) => JSON.stringify(row.options))}::text[]) as given (key, unit, units, position, labels, options)
    on conflict (account_id, key) do update
      set unit = excluded.unit, units = excluded.units, position = excluded.position, labels = excluded.labels,
        options = excluded.options
      where (attribute_definition.unit, attribute_definition.units, attribute_definition.position, attribute_definition.labels,
        attribute_definition.options) is distinct from (excluded.unit, excluded.units, excluded.position, excluded.labels, excluded.options)`
  return result.count
}

export async function attributeDefinitionDelete(tx: Tx, accountId: number, key: string): Promise<boolean> {
  const result = await tx`delete from attribute_definition where account_id = ${accountId} and key = ${key}`
  return result.count === 1
}

export async function attributeDefinitionsCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from attribute_definition where account_id = ${accountId}`
  return row?.count ?? 0
}

/** All orders of sources of the account by field. */
export function sourceOrdersList(reader: Reader, accountId: number) {
  return reader<SourceOrderInput[]>`
    select field, supplier_ids as "supplierIds" from source_order where account_id = ${accountId} order by field`
}

/** Takes a deleted supplier out of all orders; one that named it alone goes with it. */
export async function sourceOrdersForgetSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await tx`delete from source_order where account_id = ${accountId} and supplier_ids = array[${supplierId}]::bigint[]`
  await tx`update source_order set supplier_ids = array_remove(supplier_ids, ${supplierId}::bigint)
    where account_id = ${accountId} and ${supplierId}::bigint = any(supplier_ids)`
}

/** Which suppliers are asked first for a field; an empty list takes the order away. */
export async function sourceOrderWrite(tx: Tx, accountId: number, field: SourceField, supplierIds: readonly number[]): Promise<void> {
  if (supplierIds.length === 0) {
    await tx`delete from source_order where account_id = ${accountId} and field = ${field}`
    return
  }
  await tx`
    insert into source_order (account_id, field, supplier_ids) values (${accountId}, ${field}, ${[...supplierIds]}::bigint[])
    on conflict (account_id, field) do update set supplier_ids = excluded.supplier_ids`
}

/** The currency in which the account counts. */
export async function accountCurrency(reader: Reader, accountId: number): Promise<string> {
  const [row] = await reader<{ currency: string }[]>`select currency from account where account_id = ${accountId}`
  return row?.currency ?? ''
}
