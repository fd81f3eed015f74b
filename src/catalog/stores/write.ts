import type { Tx } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import { LIMITS } from '../../ground/limits.ts'
import { Check } from '../check.ts'
import { sweepAppend } from '../marks/store.ts'
import { storeInsert, storeMakeDefault, storesList, storeUpdate, type StoreChanges } from './store.ts'

export interface NewStore {
  slug: string
  name: string
  locale: string
  currency: string
  /** Whether it lists every product, unless an assortment rule or the hand says otherwise; true when left out. */
  listsByDefault?: boolean
}

/** Opens a store; the account's first one becomes its default. Every product is resolved for it by a sweep. */
export async function createStore(tx: Tx, accountId: number, input: NewStore): Promise<number> {
  const check = new Check()
  check.slug('slug', input.slug)
  check.text('name', input.name, LIMITS.nameLengthMax)
  const locale = check.locale('locale', input.locale)
  check.currency('currency', input.currency)
  check.done('store')
  const existing = await storesList(tx, accountId)
  if (existing.length >= LIMITS.storesPerAccountMax) {
    throw new HouseError('conflict', `an account has at most ${LIMITS.storesPerAccountMax} stores`)
  }
  const storeId = await storeInsert(tx, accountId, { listsByDefault: true, ...input, locale, isDefault: existing.length === 0 })
  await sweepAppend(tx, accountId, 'store opened', { storeId })
  return storeId
}

/**
 * Edits a store. A slug never changes. While a store is inactive nothing of it is read or shelved; when it comes back a
 * sweep brings its payloads up to date. The default store cannot be made inactive.
 */
export async function editStore(tx: Tx, accountId: number, storeId: number, changes: StoreChanges): Promise<void> {
  const check = new Check()
  const wanted = { ...changes }
  if (changes.name !== undefined) check.text('name', changes.name, LIMITS.nameLengthMax)
  if (changes.locale !== undefined) wanted.locale = check.locale('locale', changes.locale)
  if (changes.currency !== undefined) check.currency('currency', changes.currency)
  check.done('store')
  const store = (await storesList(tx, accountId)).find((row) => row.storeId === storeId)
  if (store === undefined) throw new HouseError('unknown-reference', `the account has no store ${storeId}`)
  if (changes.isActive === false && store.isDefault) {
    throw new HouseError('conflict', 'the default store cannot be made inactive; make another store the default first')
  }
  await storeUpdate(tx, accountId, storeId, wanted)
  await sweepAppend(tx, accountId, 'store edited', { storeId })
}

/** Makes an active store the one that is read when a request names none. No payload depends on it. */
export async function makeDefaultStore(tx: Tx, accountId: number, storeId: number): Promise<void> {
  if (!(await storeMakeDefault(tx, accountId, storeId))) {
    throw new HouseError('unknown-reference', `the account has no active store ${storeId}`)
  }
}
