import type { Reader, Tx } from '../db/sql.ts'
import { must } from '../platform/must.ts'

/** The settings of an account. */
export interface AccountRow {
  accountId: number
  name: string
  currency: string
  locale: string
  timeZone: string
  /** Whether a text may be taken from any locale if neither the store's locale nor the account's has one. */
  anyLocale: boolean
  /** Template of the exported SKU (sku-pattern.ts); null: the product's own key is exported. */
  skuPattern: string | null
  /** A price that would change by more than this factor is held; null: prices are never held. */
  priceJumpFactor: string | null
  /** Whether our copy of a picture becomes the account's own when its source is dead. */
  adoptImages: boolean
  /** Members of payloads that were added after the first release and that this account has. */
  additionalMembers: string[]
  /** `ecb`: exchange rates follow those of the European Central Bank; `hand`: the owner sets them. A later release may add values. */
  ratesFrom: string
  /** A rate of the bank that differs from the bank's previous one by less than this percentage is not taken over. */
  ratesLeastChangePercent: string
  /** A rate that differs by more than this percentage is held until somebody confirms it. */
  ratesGreatestChangePercent: string
}

const accountColumns = (reader: Reader) =>
  reader`account_id as "accountId", name, currency, locale, time_zone as "timeZone", any_locale as "anyLocale",
    sku_pattern as "skuPattern", trim_scale(price_jump_factor)::text as "priceJumpFactor", adopt_images as "adoptImages",
    additional_members as "additionalMembers", rates_from as "ratesFrom",
    trim_scale(rates_least_change_percent)::text as "ratesLeastChangePercent",
    trim_scale(rates_greatest_change_percent)::text as "ratesGreatestChangePercent"`

/** Inserts an account. @returns its id */
export async function accountInsert(
  tx: Tx,
  account: Pick<AccountRow, 'name' | 'currency' | 'locale' | 'timeZone' | 'priceJumpFactor' | 'additionalMembers'>,
): Promise<number> {
  const [row] = await tx<{ account_id: number }[]>`
    insert into account (name, currency, locale, time_zone, price_jump_factor, additional_members)
    values (${account.name}, ${account.currency}, ${account.locale}, ${account.timeZone}, ${account.priceJumpFactor}::numeric,
      ${account.additionalMembers}::text[])
    returning account_id`
  return must(row).account_id
}

/** Writes an account's settings, under settingsLock. Its currency never changes: rates are relative to it, and rules have amounts in it. */
export function accountUpdate(tx: Tx, account: AccountRow) {
  return tx`
    update account set name = ${account.name}, locale = ${account.locale}, time_zone = ${account.timeZone},
      any_locale = ${account.anyLocale}, sku_pattern = ${account.skuPattern}, price_jump_factor = ${account.priceJumpFactor}::numeric,
      adopt_images = ${account.adoptImages}, additional_members = ${account.additionalMembers}::text[],
      rates_from = ${account.ratesFrom}, rates_least_change_percent = ${account.ratesLeastChangePercent}::numeric,
      rates_greatest_change_percent = ${account.ratesGreatestChangePercent}::numeric
    where account_id = ${account.accountId}`
}

export async function accountGet(reader: Reader, accountId: number): Promise<AccountRow | undefined> {
  const [row] = await reader<AccountRow[]>`
    select ${accountColumns(reader)} from account where account_id = ${accountId}`
  return row
}

/** The locale of an account; `en` if the account has been deleted meanwhile. */
export async function accountLocale(reader: Reader, accountId: number): Promise<string> {
  const [row] = await reader<{ locale: string }[]>`select locale from account where account_id = ${accountId}`
  return row?.locale ?? 'en'
}

/** Whether there is any account. */
export async function accountExists(reader: Reader): Promise<boolean> {
  const rows = await reader`select 1 as there from account limit 1`
  return rows.length > 0
}

/** An account with its suspension; null: it is not suspended, or no reason was given. */
export interface ListedAccount extends AccountRow {
  suspendedAt: Date | null
  suspensionReason: string | null
}

export function accountsList(reader: Reader) {
  return reader<ListedAccount[]>`
    select ${accountColumns(reader)}, suspended_at as "suspendedAt", suspension_reason as "suspensionReason"
    from account order by account_id`
}

/** The first accounts after an id, by id; at most `limit`. */
export function accountsPage(reader: Reader, after: number, limit: number) {
  return reader<ListedAccount[]>`
    select ${accountColumns(reader)}, suspended_at as "suspendedAt", suspension_reason as "suspensionReason"
    from account where account_id > ${after} order by account_id limit ${limit}`
}

/** An account with its suspension; undefined if there is none with this id. */
export async function listedAccount(reader: Reader, accountId: number): Promise<ListedAccount | undefined> {
  const [row] = await reader<ListedAccount[]>`
    select ${accountColumns(reader)}, suspended_at as "suspendedAt", suspension_reason as "suspensionReason"
    from account where account_id = ${accountId}`
  return row
}

/** Ids of the accounts with a name, which need not be unique. */
export async function accountsNamed(reader: Reader, name: string): Promise<number[]> {
  const rows = await reader<
    { account_id: number }[]
  >`select account_id from account where name = ${name} order by account_id`
  return rows.map((row) => row.account_id)
}
