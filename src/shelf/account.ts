import {
  ADDITIONAL_MEMBER_NAMES,
  PRICE_MEMBERS,
  isAdditionalMember,
  type AdditionalMember,
} from '../../contract/additional-members.ts'
import { accountGet, accountInsert, type AccountRow, accountUpdate } from '../accounts/accounts.sql.ts'
import { Check } from '../input/check.ts'
import { isTimeZone } from '../input/time-zone.ts'
import { BOUNDS, compareDecimals } from '../input/decimal.ts'
import { accountDayMove, accountInputsInsert } from '../catalog/settings/days.sql.ts'
import { ratesCompareAgain } from '../catalog/settings/prices/rates.sql.ts'
import { sweepAppend } from '../catalog/stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../catalog/stale/written.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { createRule } from '../catalog/settings/rules/pricing-rules.ts'
import { createGroup } from '../catalog/settings/stores/groups.ts'
import { createStore, type NewStore } from '../catalog/settings/stores/stores.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { parseSkuPattern } from '../model/sku-pattern.ts'
import { RESOLVER_VERSION } from '../resolve/resolve.ts'
import { counterInsert } from './payloads/change-counter.sql.ts'

export interface NewAccount {
  name: string
  /** ISO 4217: costs are compared in it. */
  currency: string
  /** BCP 47: the last locale a text falls back to. */
  locale: string
  /** IANA name; UTC when left out. */
  timeZone?: string
  /** Becomes the default store. */
  store: NewStore
  /** Name of the default customer group. */
  group?: string
  /** Markup of the default rule, decimal text: 25 adds a quarter to the cost. */
  markupPercent?: string
  /** A price that would change by more than this factor is held back; null turns the jump guard off. */
  priceJumpFactor?: string | null
  /** Optional members of payloads that this account gets beside the standard ones; none by default. */
  additionalMembers?: readonly string[]
}

/** What a new account's default rule adds to the cost, unless stated otherwise. */
export const DEFAULT_MARKUP_PERCENT = '25'

/** The factor by which a price of a new account may move before it is held, unless stated otherwise. */
const DEFAULT_PRICE_JUMP_FACTOR = '3'

/**
 * Creates an account with everything that it must always have: a default store, a default customer group, a default
 * pricing rule and a change counter.
 */
export async function openAccount(tx: Tx, input: NewAccount): Promise<{ accountId: number; storeId: number }> {
  const { timeZone = 'UTC', group = 'Retail', markupPercent = DEFAULT_MARKUP_PERCENT } = input
  const { priceJumpFactor = DEFAULT_PRICE_JUMP_FACTOR, additionalMembers = [] } = input
  const check = new Check()
  const name = check.text('name', input.name, LIMITS.nameLengthMax)
  const currency = check.currency('currency', input.currency)
  const locale = check.locale('locale', input.locale)
  check.that(
    isTimeZone(timeZone),
    'time_zone',
    `"${timeZone.slice(0, 40)}" is not an IANA time zone such as Europe/Warsaw`,
  )
  const members = checkMembers(check, additionalMembers)
  check.done('account')
  const accountId = await accountInsert(tx, {
    name,
    currency,
    locale,
    timeZone,
    priceJumpFactor,
    additionalMembers: members,
  })
  await accountInputsInsert(tx, accountId, RESOLVER_VERSION)
  await counterInsert(tx, accountId)
  const { value: storeId } = await renamed(createStore(tx, accountId, input.store), (member) => `store.${member}`)
  await renamed(createGroup(tx, accountId, group, true), () => 'group')
  const rule = { name: 'Default', action: 'markup', percent: markupPercent } as const
  await renamed(createRule(tx, accountId, rule, true), () => 'markup')
  return { accountId, storeId }
}

/** Renames the faults of a part to the member names of the account's input. */
async function renamed<T>(work: Promise<T>, nameOf: (member: string) => string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ShelfwireError) || error.code !== 'invalid-input') throw error
    const faults = error.faults.map(({ name, reason }) => ({ name: nameOf(name), reason }))
    throw new ShelfwireError('invalid-input', error.message, { faults, cause: error })
  }
}

export type AccountChanges = Partial<Omit<AccountRow, 'accountId' | 'currency'>>

/**
 * Changes an account's settings; members that are left out keep their value. The currency cannot be changed: costs and
 * exchange rates are stated in it.
 */
export async function editAccount(tx: Tx, accountId: number, changes: AccountChanges): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = await accountGet(tx, accountId)
  if (old === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
  const account = { ...old, ...changes }
  const check = new Check()
  account.name = check.text('name', account.name, LIMITS.nameLengthMax)
  // a stored locale is not checked again: earlier releases accepted any well-formed tag
  if (account.locale !== old.locale) account.locale = check.locale('locale', account.locale)
  check.that(
    account.timeZone === old.timeZone || isTimeZone(account.timeZone),
    'time_zone',
    `"${account.timeZone.slice(0, 40)}" is not an IANA time zone such as Europe/Warsaw`,
  )
  if (account.skuPattern !== null) {
    const parsed = parseSkuPattern(account.skuPattern)
    for (const { at, reason } of 'faults' in parsed ? parsed.faults : [])
      check.that(false, 'sku_pattern', `at character ${at + 1}: ${reason}`)
  }
  if (account.priceJumpFactor !== null) {
    account.priceJumpFactor = check.decimal('price_jump_factor', account.priceJumpFactor, BOUNDS.factor)
    check.that(
      compareDecimals(account.priceJumpFactor, '1') > 0,
      'price_jump_factor',
      'must be above 1: 1.5 holds back a rise by half and a fall by a third',
    )
  }
  checkRates(check, account, old)
  // an unchanged list is not checked again: a newer release may have stored members that this one does not know
  if (changes.additionalMembers !== undefined)
    account.additionalMembers = checkMembers(check, changes.additionalMembers)
  check.done('account')
  await accountUpdate(tx, account)
  if (account.timeZone !== old.timeZone) await accountDayMove(tx, accountId, old.timeZone)
  if (RATE_SETTINGS.some((name) => account[name] !== old[name])) await ratesCompareAgain(tx, accountId)
  /** Whether a change of this setting can affect content halves only. */
  const isOfContent = (name: keyof AccountChanges): boolean =>
    name === 'additionalMembers'
      ? PRICE_MEMBERS.every(
          (member) => account.additionalMembers.includes(member) === old.additionalMembers.includes(member),
        )
      : name === 'skuPattern' || name === 'name'
  // payloads do not depend on adoptImages, nor on rate settings until rates change, so neither needs a sweep
  const named = (Object.keys(changes) as (keyof AccountChanges)[]).filter(
    (name) => name !== 'adoptImages' && !RATE_SETTINGS.some((other) => other === name),
  )
  if (named.length > 0)
    await sweepAppend(tx, accountId, 'account edited', named.every(isOfContent) ? { half: 'content' } : {})
  return settingsWritten()
}

const RATE_SETTINGS = ['ratesFrom', 'ratesLeastChangePercent', 'ratesGreatestChangePercent'] as const

/** Checks the rate settings and stores the bounds in canonical form on `account`. */
function checkRates(check: Check, account: AccountRow, old: AccountRow): void {
  check.that(
    account.ratesFrom === old.ratesFrom || account.ratesFrom === 'hand' || account.ratesFrom === 'ecb',
    'rates_from',
    `must be hand or ecb, not "${account.ratesFrom.slice(0, 40)}"`,
  )
  const [least, greatest] = ['rates_least_change_percent', 'rates_greatest_change_percent'] as const
  const faults = check.faults.length
  account.ratesLeastChangePercent = check.decimal(least, account.ratesLeastChangePercent, BOUNDS.tierPercent)
  account.ratesGreatestChangePercent = check.decimal(greatest, account.ratesGreatestChangePercent, BOUNDS.tierPercent)
  if (check.faults.length > faults) return
  check.that(
    compareDecimals(account.ratesGreatestChangePercent, account.ratesLeastChangePercent) > 0,
    greatest,
    `must be above ${least}, which is ${account.ratesLeastChangePercent}`,
  )
}

/** @returns the named members without duplicates, in payload order. */
function checkMembers(check: Check, names: readonly string[]): AdditionalMember[] {
  const unknown = names.find((name) => !isAdditionalMember(name))
  check.that(
    unknown === undefined,
    'additional_members',
    `"${unknown?.slice(0, 40)}" is not one of ${ADDITIONAL_MEMBER_NAMES.join(', ')}`,
  )
  return ADDITIONAL_MEMBER_NAMES.filter((member) => names.includes(member))
}
