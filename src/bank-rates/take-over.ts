import { accountGet } from '../accounts/accounts.sql.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { ratesList } from '../catalog/settings/prices/rates.sql.ts'
import { setComparedRates } from '../catalog/settings/prices/rates.ts'
import type { Tx } from '../db/sql.ts'
import { writeNotices } from '../notices/write-notice.sql.ts'
import { auditInsert } from '../people/audit.sql.ts'
import { compareRates } from './plan.ts'
import type { BankRates } from './read-file.ts'

/** The name under which the audit trail has changes by the bank. */
const BANK = { personId: null, name: 'European Central Bank (ecb)', address: '', userAgent: '' }

/**
 * Compares an account's rates with the bank's of a day and takes over what its settings allow, in one transaction: the rates, one sweep, the audit
 * trail and the notice of newly held rates. Each rate is compared once a day, so repeating it is safe, and of two processes the second finds nothing
 * left to do.
 * @returns how many rates were taken over and how many are held
 */
export async function takeOverRates(
  tx: Tx,
  accountId: number,
  bank: BankRates,
): Promise<{ taken: number; held: number }> {
  await settingsLock(tx, accountId)
  const account = await accountGet(tx, accountId)
  if (account?.ratesFrom !== 'ecb') return { taken: 0, held: 0 }
  const known = await ratesList(tx, accountId)
  const compared = compareRates(known, account.currency, bank, {
    least: account.ratesLeastChangePercent,
    greatest: account.ratesGreatestChangePercent,
  })
  if (compared.length === 0) return { taken: 0, held: 0 }
  await setComparedRates(tx, accountId, bank.day, compared, known)
  const taken = compared.flatMap((row) => (row.taken === null ? [] : [{ currency: row.currency, rate: row.taken }]))
  for (const { currency, rate } of taken) {
    const target = `/v1/account/rates/${currency}`
    await auditInsert(tx, accountId, BANK, { action: 'patchRate', target, details: { rate, day: bank.day } })
  }
  const byCurrency = new Map(known.map((row) => [row.currency, row]))
  const held = compared.flatMap(({ currency, held: heldRate }) => {
    const before = byCurrency.get(currency)
    return heldRate === null || before === undefined
      ? []
      : [{ before, currency, rate: before.rate, held_rate: heldRate }]
  })
  // owners have been notified already of a rate that was held before
  const news = held.flatMap(({ before, ...row }) => (before.heldRate === null ? [row] : []))
  if (news.length > 0)
    await writeNotices(tx, accountId, [
      { endpointId: null, kind: 'rates_held', facts: { day: bank.day, own: account.currency, rates: news } },
    ])
  return { taken: taken.length, held: held.length }
}
