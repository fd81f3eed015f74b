import type { Reader, Tx } from '../../../db/sql.ts'

/** How many distinct values are read; suppliers have about ten. */
const STATED_MAX = 1_000

/** A rate of a class; percent is a decimal text. */
export interface TaxRateRow {
  country: string
  /** The first day on which it applies, `YYYY-MM-DD`. */
  validFrom: string
  percent: string
}

export interface TaxClassRow {
  key: string
  name: string
  isDefault: boolean
  /** Suppliers' names for the class. */
  codes: string[]
  /** In the order in which they were given. */
  rates: TaxRateRow[]
}

interface StoredRate {
  country: string
  valid_from: string
  percent: string
}

/** All tax classes of the account by key. */
export async function taxClassesList(reader: Reader, accountId: number): Promise<TaxClassRow[]> {
  const rows = await reader<(Omit<TaxClassRow, 'rates'> & { rates: StoredRate[] })[]>`
    select key, name, is_default as "isDefault", codes, rates from tax_class where account_id = ${accountId} order by key`
  return rows.map((row) => ({
    ...row,
    rates: row.rates.map(({ country, valid_from: validFrom, percent }) => ({ country, validFrom, percent })),
  }))
}

/** Writes a class, new or changed. The caller has the settings lock. */
export async function taxClassUpsert(tx: Tx, accountId: number, row: TaxClassRow): Promise<void> {
  const rates: StoredRate[] = row.rates.map(({ country, validFrom, percent }) => ({
    country,
    valid_from: validFrom,
    percent,
  }))
  if (row.isDefault)
    await tx`update tax_class set is_default = false where account_id = ${accountId} and is_default and key <> ${row.key}`
  await tx`
    insert into tax_class (account_id, key, name, is_default, codes, rates)
    values (${accountId}, ${row.key}, ${row.name}, ${row.isDefault}, ${row.codes}::text[], ${JSON.stringify(rates)}::text::jsonb)
    on conflict (account_id, key) do update
      set name = excluded.name, is_default = excluded.is_default, codes = excluded.codes, rates = excluded.rates`
}

export async function taxClassDelete(tx: Tx, accountId: number, key: string): Promise<void> {
  await tx`delete from tax_class where account_id = ${accountId} and key = ${key}`
}

/**
 * Whether a category names the class by its key, or an override or an offer by one of its names. Reads all offers if none does.
 * @param names folded, as they are compared.
 */
export async function taxClassUse(
  reader: Reader,
  accountId: number,
  key: string,
  names: readonly string[],
): Promise<'category' | 'product' | 'offer' | null> {
  const [category] = await reader<{ used: boolean }[]>`
    select exists (select from category where account_id = ${accountId} and tax_class = ${key}) as used`
  if (category?.used === true) return 'category'
  const given = [...names]
  const [override] = await reader<{ used: boolean }[]>`
    select exists (select from product_override
      where account_id = ${accountId} and field = 'tax_class' and lower(normalize(value, NFC)) = any(${given}::text[])) as used`
  if (override?.used === true) return 'product'
  const [offer] = await reader<{ used: boolean }[]>`
    select exists (select from offer_content
      where account_id = ${accountId} and lower(normalize(tax_class, NFC)) = any(${given}::text[])) as used`
  return offer?.used === true ? 'offer' : null
}

/** The countries whose tax the costs of offers include, as the offers state. */
export function statedCostTaxes(reader: Reader, accountId: number) {
  return reader<{ supplierId: number; country: string }[]>`
    select distinct supplier_id as "supplierId", cost_tax as country from offer_content
    where account_id = ${accountId} and cost_tax is not null and cost_tax <> 'none'
    order by 1, 2 limit ${STATED_MAX}`
}

/** The tax classes that offers state, the most frequent first. */
export function statedTaxClasses(reader: Reader, accountId: number) {
  return reader<{ supplierId: number; value: string; offers: number }[]>`
    select supplier_id as "supplierId", tax_class as value, count(*)::int as offers from offer_content
    where account_id = ${accountId} and tax_class is not null
    group by supplier_id, tax_class order by offers desc, supplier_id, value limit ${STATED_MAX}`
}

/** Whether a tax rate begins after `fromDay` and not after `toDay`. */
export async function taxRatesTurn(
  reader: Reader,
  accountId: number,
  fromDay: string,
  toDay: string,
): Promise<boolean> {
  const [row] = await reader<{ turns: boolean }[]>`
    select exists (
      select from tax_class t cross join lateral jsonb_array_elements(t.rates) as rate (of)
      where t.account_id = ${accountId} and rate.of ->> 'valid_from' > ${fromDay} and rate.of ->> 'valid_from' <= ${toDay}) as turns`
  return row?.turns ?? false
}
