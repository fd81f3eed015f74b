import { isDeepStrictEqual } from 'node:util'
import { requireRoom } from '../../../accounts/limits/limits.ts'
import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { Check } from '../../../input/check.ts'
import { readCountry } from '../../../input/country.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import { groupDelete, groupInsert, groupsList, groupUpdate } from './groups.sql.ts'
import { priceListsForgetGroup } from '../prices/price-lists.sql.ts'
import { pricingRulesForgetGroup } from '../rules/pricing-rules.sql.ts'
import { requireFound } from '../require-found.ts'
import { requireRates, type GroupTax } from './shown-tax.ts'
import { storesList } from './stores.sql.ts'
import { taxClassesList } from '../prices/tax-classes.sql.ts'

// Each of these writes can change all payloads of an account and therefore appends a sweep in its transaction.

/** The tax settings of a group: the country, and whether prices include its tax; null: as in the store. */
interface GroupTaxInput {
  taxCountry?: string | null
  pricesIncludeTax?: boolean | null
}

export interface GroupChanges extends GroupTaxInput {
  name?: string
}

/** Creates a customer group: every payload gets a price for it. @throws ShelfwireError invalid-input, quota-exceeded. */
export async function createGroup(
  tx: Tx,
  accountId: number,
  name: string,
  isDefault = false,
  tax: GroupTaxInput = {},
): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const wanted = await checked(tx, accountId, { name, taxCountry: null, pricesIncludeTax: null, ...tax }, null)
  await requireRoom(tx, accountId, 'groups', (await groupsList(tx, accountId)).length)
  const groupId = await groupInsert(tx, accountId, { ...wanted, isDefault })
  await sweepAppend(tx, accountId, 'customer group created', { half: 'price' })
  return settingsWritten(groupId)
}

/**
 * Edits a group; members that are left out stay. Payloads show its name, and prices with or without tax as it requires. Without a difference there is
 * no sweep. @throws ShelfwireError invalid-input, unknown-reference; conflict for an existing name.
 */
export async function editGroup(tx: Tx, accountId: number, groupId: number, changes: GroupChanges): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = (await groupsList(tx, accountId)).find((row) => row.groupId === groupId)
  if (old === undefined) throw new ShelfwireError('unknown-reference', `the account has no customer group ${groupId}`)
  const wanted = { ...old, ...(await checked(tx, accountId, { ...old, ...changes }, old)) }
  if (isDeepStrictEqual(wanted, { ...old })) return settingsWritten()
  await groupUpdate(tx, accountId, wanted)
  await sweepAppend(tx, accountId, 'customer group edited', { half: 'price' })
  return settingsWritten()
}

/** @param old null: the group is new. Unchanged tax settings are not checked again, because rates may have been deleted since. */
async function checked(tx: Tx, accountId: number, given: GroupTax, old: GroupTax | null): Promise<GroupTax> {
  const check = new Check()
  const name = check.text('name', given.name, LIMITS.nameLengthMax)
  const { pricesIncludeTax } = given
  const taxCountry =
    given.taxCountry === null ? null : check.take('tax_country', readCountry(given.taxCountry), given.taxCountry)
  const isSaid = taxCountry !== (old?.taxCountry ?? null) || pricesIncludeTax !== (old?.pricesIncludeTax ?? null)
  const group = { name, taxCountry, pricesIncludeTax }
  if (isSaid) {
    const member = taxCountry === null ? 'prices_include_tax' : 'tax_country'
    requireRates(check, member, await storesList(tx, accountId), [group], await taxClassesList(tx, accountId))
  }
  check.done('customer group')
  return group
}

/**
 * Deletes a group and removes it from all rules; rules for it alone are deleted. The default group cannot be deleted. Callers
 * use removeGroup (src/operations/removal.ts), which also checks channel files and price lists.
 */
export async function deleteGroup(tx: Tx, accountId: number, groupId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  requireFound(await groupDelete(tx, accountId, groupId), `customer group ${groupId} that can be deleted`)
  await pricingRulesForgetGroup(tx, accountId, groupId)
  await priceListsForgetGroup(tx, accountId, groupId)
  await sweepAppend(tx, accountId, 'customer group deleted', { half: 'price' })
  return settingsWritten()
}
