import { isDeepStrictEqual } from 'node:util'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { Check } from '../../../input/check.ts'
import { readDay } from '../../../input/day.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { PriceListInput } from '../../../resolve/inputs.ts'
import { inputsVersionRaise } from '../../stale/sweeps.sql.ts'
import { productsWritten, settingsWritten, type Written } from '../../stale/written.ts'
import {
  priceListDelete,
  priceListLock,
  priceListsList,
  priceListsMark,
  priceListUpsert,
  storeOfOtherCurrency,
} from './price-lists.sql.ts'
import { requireNamed } from '../rules/rule-conditions.ts'

export type NewPriceList = Omit<PriceListInput, 'createdAt'>
export type PriceListChanges = Partial<Omit<NewPriceList, 'key' | 'currency'>>

// Price lists without their entries: for which stores, for whose customers, and when. A write marks only the products of the list.

/** Creates a list without entries. @throws ShelfwireError invalid-input, unknown-reference; conflict where there is one with the key, or too many. */
export async function createPriceList(tx: Tx, accountId: number, input: NewPriceList): Promise<Written> {
  await settingsLock(tx, accountId)
  const others = await priceListsList(tx, accountId)
  const row = await checked(tx, accountId, input)
  if (others.some(({ key }) => key === row.key))
    throw new ShelfwireError('conflict', `a price list "${row.key}" exists already`)
  if (others.length >= LIMITS.priceListsPerAccountMax)
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.priceListsPerAccountMax} price lists`)
  await priceListUpsert(tx, accountId, row)
  await inputsVersionRaise(tx, accountId)
  return settingsWritten()
}

/** Edits a list; members that are left out stay. Its products are marked if the edit can change a price. */
export async function editPriceList(
  tx: Tx,
  accountId: number,
  key: string,
  changes: PriceListChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const { createdAt: _made, ...old } = await lockPriceList(tx, accountId, key)
  const row = await checked(tx, accountId, { ...old, ...changes })
  if (isDeepStrictEqual(row, old)) return settingsWritten()
  await priceListUpsert(tx, accountId, row)
  await inputsVersionRaise(tx, accountId)
  // the name is read from the settings alone, so a new one needs no marks
  if (isDeepStrictEqual({ ...row, name: old.name }, old)) return settingsWritten()
  return productsOf(await priceListsMark(tx, accountId, [key]))
}

/** Deletes a list with its entries: rules price its products again. @throws ShelfwireError unknown-reference. */
export async function deletePriceList(tx: Tx, accountId: number, key: string): Promise<Written> {
  await settingsLock(tx, accountId)
  await lockPriceList(tx, accountId, key)
  const productIds = await priceListsMark(tx, accountId, [key])
  await priceListDelete(tx, accountId, key)
  await inputsVersionRaise(tx, accountId)
  return productsOf(productIds)
}

/** A write of settings on which only these products depend. */
const productsOf = (productIds: readonly number[]): Written => ({
  ...productsWritten(productIds, undefined, 'price'),
  isForAll: true,
})

/** @throws ShelfwireError unknown-reference. */
export async function lockPriceList(tx: Tx, accountId: number, key: string): Promise<PriceListInput> {
  // no key contains NUL, and PostgreSQL refuses it in a parameter
  const found = key.includes('\0') ? undefined : await priceListLock(tx, accountId, key)
  if (found === undefined) throw noList(key)
  return found
}

export const noList = (key: string) =>
  new ShelfwireError('unknown-reference', `the account has no price list "${key.slice(0, 80)}"`)

async function checked(reader: Reader, accountId: number, input: NewPriceList): Promise<NewPriceList> {
  const check = new Check()
  const key = check.slug('key', input.key)
  const name = check.text('name', input.name, LIMITS.nameLengthMax)
  const currency = check.currency('currency', input.currency)
  check.priority(input.priority)
  const day = (member: string, given: string | null) =>
    given === null ? null : check.take(member, readDay(given), given)
  const validFrom = day('valid_from', input.validFrom)
  const validTo = day('valid_to', input.validTo)
  check.that(
    validFrom === null || validTo === null || validFrom <= validTo,
    'valid_to',
    `must not be before valid_from, ${validFrom ?? ''}`,
  )
  const storeIds = input.storeIds === null ? null : [...new Set(input.storeIds)]
  check.that(storeIds === null || storeIds.length > 0, 'store_ids', 'must name a store; null is every one')
  check.done('price list')
  await requireNamed(
    reader,
    accountId,
    { storeIds, groupIds: input.groupId === null ? null : [input.groupId] },
    { group_ids: 'group_id' },
  )
  const foreign = storeIds === null ? undefined : await storeOfOtherCurrency(reader, accountId, storeIds, currency)
  check.that(
    foreign === undefined,
    'store_ids',
    `the store "${foreign?.slug}" sells in ${foreign?.currency}; a list in ${currency} is for stores that sell in it`,
  )
  check.done('price list')
  return { ...input, key, name, currency, validFrom, validTo, storeIds }
}
