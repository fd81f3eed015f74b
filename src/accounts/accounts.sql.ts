import type { Reader, Tx } from '../db/sql.ts'
import { must } from '../platform/must.ts'

export interface AccountRow {
  accountId: number
  name: string
  currency: string
  locale: string
  timeZone: string
  /** Whether a text that neither the store's locale nor the account's has is taken from any other locale. */
  anyLocale: boolean
  /** Template of the exported SKU (sku-pattern.ts); null: the product's own key is exported. */
  skuPattern: string | null
  /** A price that would change by more than this factor is held; null: prices are never held. */
  priceJumpFactor: string | null
  /** Whether a copy of a picture whose source is dead is kept as the account's own. */
  adoptImages: boolean
}

const accountColumns = (reader: Reader) =>
  reader`account_id as "accountId", name, currency, locale, time_zone as "timeZone", any_locale as "anyLocale",
    sku_pattern as "skuPattern", trim_scale(price_jump_factor)::text as "priceJumpFactor", adopt_images as "adoptImages"`

export async function accountInsert(
  tx: Tx,
  account: Pick<AccountRow, 'name' | 'currency' | 'locale' | 'timeZone' | 'priceJumpFactor'>,
): Promise<number> {
  const [row] = await tx<{ account_id: number }[]>`
    insert into account (name, currency, locale, time_zone, price_jump_factor)
    values (${account.name}, ${account.currency}, ${account.locale}, ${account.timeZone}, ${account.priceJumpFactor}::numeric)
    returning account_id`
  return must(row).account_id
}

/** Writes an account, under settingsLock. Its currency never changes: rates are relative to it, and rules hold amounts in it. */
export function accountUpdate(tx: Tx, account: AccountRow) {
  return tx`
    update account set name = ${account.name}, locale = ${account.locale}, time_zone = ${account.timeZone},
      any_locale = ${account.anyLocale}, sku_pattern = ${account.skuPattern}, price_jump_factor = ${account.priceJumpFactor}::numeric,
      adopt_images = ${account.adoptImages}
    where account_id = ${account.accountId}`
}

export async function accountGet(reader: Reader, accountId: number): Promise<AccountRow | undefined> {
  const [row] = await reader<AccountRow[]>`
    select ${accountColumns(reader)} from account where account_id = ${accountId}`
  return row
}

export function accountsList(reader: Reader) {
  return reader<AccountRow[]>`select ${accountColumns(reader)} from account order by account_id`
}
