import { requireRoom } from '../../../accounts/limits/limits.ts'
import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { assortmentRulesForgetStore } from '../rules/assortment-rules.sql.ts'
import { Check } from '../../../input/check.ts'
import { readCountry } from '../../../input/country.ts'
import { exclusionRulesForgetStore } from '../rules/exclusion-rules.sql.ts'
import { inputsVersionRaise, sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { priceListsForgetStore } from '../prices/price-lists.sql.ts'
import { groupsList } from './groups.sql.ts'
import { pricingRulesForgetStore } from '../rules/pricing-rules.sql.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import {
  storeDelete,
  storeInsert,
  storeMakeDefault,
  storesList,
  storeSlugIsSpent,
  storeUpdate,
  type StoreChanges,
  type StoreRow,
} from './stores.sql.ts'
import { requireRates, type StoreTax } from './shown-tax.ts'
import { taxClassesList } from '../prices/tax-classes.sql.ts'

export interface NewStore {
  slug: string
  name: string
  locale: string
  currency: string
  /** Whether it lists a product unless an assortment rule or a manual listing decides otherwise; true by default. */
  listsByDefault?: boolean
  /** ISO 3166-1: the country whose tax its prices state; none by default. */
  taxCountry?: string | null
  pricesIncludeTax?: boolean
}

/** Creates a store; the account's first one becomes its default. A sweep resolves every product for it. */
export async function createStore(tx: Tx, accountId: number, input: NewStore): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const check = new Check()
  check.slug('slug', input.slug)
  const name = check.text('name', input.name, LIMITS.nameLengthMax)
  const locale = check.locale('locale', input.locale)
  const currency = check.currency('currency', input.currency)
  const tax = await checkTax(check, tx, accountId, {
    name,
    taxCountry: input.taxCountry ?? null,
    pricesIncludeTax: input.pricesIncludeTax ?? false,
  })
  check.done('store')
  const existing = await storesList(tx, accountId)
  await requireRoom(tx, accountId, 'stores', existing.length)
  if (await storeSlugIsSpent(tx, accountId, input.slug)) {
    throw new ShelfwireError(
      'conflict',
      `the slug "${input.slug}" was that of a store which is deleted, and is not assigned again`,
      {
        faults: [{ name: 'slug', reason: 'was that of a deleted store' }],
      },
    )
  }
  const storeId = await storeInsert(tx, accountId, {
    listsByDefault: true,
    ...input,
    name,
    locale,
    currency,
    ...tax,
    isDefault: existing.length === 0,
  })
  await sweepAppend(tx, accountId, 'store opened', { storeId })
  return settingsWritten(storeId)
}

/**
 * Edits a store. A slug never changes. An inactive store is neither read nor shelved; when it becomes active again, a
 * sweep brings its payloads up to date. The default store cannot be made inactive.
 */
export async function editStore(tx: Tx, accountId: number, storeId: number, changes: StoreChanges): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const wanted = { ...changes }
  if (changes.name !== undefined) wanted.name = check.text('name', changes.name, LIMITS.nameLengthMax)
  const store = (await storesList(tx, accountId)).find((row) => row.storeId === storeId)
  // a stored locale stays valid: earlier releases accepted any tag of the right form
  if (changes.locale !== undefined && changes.locale !== store?.locale)
    wanted.locale = check.locale('locale', changes.locale)
  if (changes.currency !== undefined) wanted.currency = check.currency('currency', changes.currency)
  if (store !== undefined && (changes.taxCountry !== undefined || changes.pricesIncludeTax !== undefined)) {
    const { taxCountry = store.taxCountry, pricesIncludeTax = store.pricesIncludeTax } = changes
    // stored tax settings stay valid: rates may have been deleted since
    if (taxCountry !== store.taxCountry || pricesIncludeTax !== store.pricesIncludeTax)
      Object.assign(wanted, await checkTax(check, tx, accountId, { name: store.name, taxCountry, pricesIncludeTax }))
  }
  check.done('store')
  if (store === undefined) throw new ShelfwireError('unknown-reference', `the account has no store ${storeId}`)
  if (changes.isActive === false && store.isDefault) {
    throw new ShelfwireError(
      'conflict',
      'the default store cannot be made inactive; make another store the default first',
      {
        faults: [
          { name: 'is_active', reason: 'must be true for the default store; make another store the default first' },
        ],
      },
    )
  }
  await storeUpdate(tx, accountId, storeId, wanted)
  await sweepAppend(tx, accountId, 'store edited', { storeId })
  return settingsWritten()
}

/**
 * Validates the tax settings of a store. Without a country its prices do not include tax; nor may they for a country in which no class has a rate,
 * because every product would lose its price at once.
 */
async function checkTax(
  check: Check,
  tx: Tx,
  accountId: number,
  given: StoreTax,
): Promise<Pick<StoreRow, 'taxCountry' | 'pricesIncludeTax'>> {
  const { pricesIncludeTax } = given
  const taxCountry =
    given.taxCountry === null ? null : check.take('tax_country', readCountry(given.taxCountry), given.taxCountry)
  const tax = { taxCountry, pricesIncludeTax }
  if (pricesIncludeTax) check.that(taxCountry !== null, 'prices_include_tax', 'needs a tax_country')
  if (taxCountry === null) return tax
  const groups = await groupsList(tx, accountId)
  const store = { ...tax, name: given.name.slice(0, LIMITS.nameLengthMax) }
  requireRates(check, 'prices_include_tax', [store], [null, ...groups], await taxClassesList(tx, accountId))
  return tax
}

/** Makes an active store the default one, which answers requests that name no store. No payload depends on it. */
export async function makeDefaultStore(tx: Tx, accountId: number, storeId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  if (!(await storeMakeDefault(tx, accountId, storeId))) {
    throw new ShelfwireError('unknown-reference', 'only an active store can be the default', {
      faults: [{ name: 'is_default', reason: 'must be false while the store is inactive' }],
    })
  }
  return settingsWritten()
}

/**
 * Deletes a store that is not the default one. It can no longer be read; it is removed from rules, and rules that name only it are deleted. An
 * operation deletes its payloads, log, manual listings and exclusions. Its slug is never used again.
 * @throws ShelfwireError unknown-reference; conflict for the default store.
 */
export async function deleteStore(tx: Tx, accountId: number, storeId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  const stores = await storesList(tx, accountId)
  const store = stores.find((row) => row.storeId === storeId)
  if (store === undefined) throw new ShelfwireError('unknown-reference', `the account has no store ${storeId}`)
  if (store.isDefault)
    throw new ShelfwireError('conflict', 'the default store cannot be deleted; make another store the default first')
  await storeDelete(tx, accountId, storeId)
  await pricingRulesForgetStore(tx, accountId, storeId)
  await priceListsForgetStore(tx, accountId, storeId)
  await exclusionRulesForgetStore(tx, accountId, storeId)
  await assortmentRulesForgetStore(tx, accountId, storeId)
  // payloads of other stores do not depend on this store's settings, but the search index has the titles that stores show, by locale
  const isLastOfLocale = !stores.some((row) => row.storeId !== storeId && row.isActive && row.locale === store.locale)
  if (store.isActive && isLastOfLocale) await sweepAppend(tx, accountId, 'store deleted')
  else await inputsVersionRaise(tx, accountId)
  return settingsWritten()
}
