import { accountInsert } from '../accounts/store.ts'
import { Check } from '../catalog/check.ts'
import { createGroup, createRule } from '../catalog/settings/write.ts'
import { createStore, type NewStore } from '../catalog/stores/write.ts'
import type { Tx } from '../db/sql.ts'
import { LIMITS } from '../ground/limits.ts'
import { counterInsert } from './counter/store.ts'

export interface NewAccount {
  name: string
  /** ISO 4217: costs are compared in it. */
  currency: string
  /** BCP 47: the last locale a text falls back to. */
  locale: string
  /** IANA name; UTC when left out. */
  timeZone?: string
  /** The default store. */
  store: NewStore
  /** Name of the default customer group. */
  group?: string
  /** Of the default rule, decimal text: 25 is a quarter on top of the cost. */
  markupPercent?: string
}

/**
 * Opens an account in one transaction with all that it can never be without: a default store, a default customer group,
 * a default pricing rule and its change counter.
 */
export async function openAccount(tx: Tx, input: NewAccount): Promise<{ accountId: number; storeId: number }> {
  const { timeZone = 'UTC', group = 'Retail', markupPercent = '25' } = input
  const check = new Check()
  check.text('name', input.name, LIMITS.nameLengthMax)
  check.currency('currency', input.currency)
  const locale = check.locale('locale', input.locale)
  check.that(isTimeZone(timeZone), 'time_zone', `«${timeZone.slice(0, 40)}» is not an IANA time zone such as Europe/Warsaw`)
  check.done('account')
  const accountId = await accountInsert(tx, { name: input.name, currency: input.currency, locale, timeZone })
  await counterInsert(tx, accountId)
  const storeId = await createStore(tx, accountId, input.store)
  await createGroup(tx, accountId, group, true)
  await createRule(tx, accountId, { name: 'Default', markupPercent }, true)
  return { accountId, storeId }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}
