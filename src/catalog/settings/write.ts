import type { Tx } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import { LIMITS } from '../../ground/limits.ts'
import { Check } from '../check.ts'
import { sweepAppend } from '../marks/store.ts'
import * as store from './store.ts'

// Each of these moves payloads of a whole account, so each appends a sweep in the transaction that writes it.

const PRIORITY_MAX = 1_000_000

/** Opens a customer group: every store shows one price per group. */
export async function createGroup(tx: Tx, accountId: number, name: string, isDefault = false): Promise<number> {
  const check = new Check()
  check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  if ((await store.groupsList(tx, accountId)).length >= LIMITS.groupsPerAccountMax) {
    throw new HouseError('conflict', `an account has at most ${LIMITS.groupsPerAccountMax} customer groups`)
  }
  const groupId = await store.groupInsert(tx, accountId, name, isDefault)
  await sweepAppend(tx, accountId, 'customer group created')
  return groupId
}

export async function renameGroup(tx: Tx, accountId: number, groupId: number, name: string): Promise<void> {
  const check = new Check()
  check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  found(await store.groupRename(tx, accountId, groupId, name), `customer group ${groupId}`)
  await sweepAppend(tx, accountId, 'customer group renamed')
}

/** Deletes a group with its rules. The default group cannot be deleted. */
export async function deleteGroup(tx: Tx, accountId: number, groupId: number): Promise<void> {
  found(await store.groupDelete(tx, accountId, groupId), `customer group ${groupId} that can be deleted`)
  await sweepAppend(tx, accountId, 'customer group deleted')
}

/** Sets exchange rates: units of each currency per one unit of the account's. Equal rates sweep nothing. */
export async function setRates(tx: Tx, accountId: number, rates: readonly store.RateRow[]): Promise<void> {
  const check = new Check()
  for (const { currency, rate } of rates) {
    check.currency(currency, currency)
    check.decimal(currency, rate, { integerDigits: 12, fractionDigits: 12 })
    check.that(/[1-9]/.test(rate) && !rate.startsWith('-'), currency, 'a rate is above 0')
  }
  const seen = rates.map((row) => row.currency)
  check.that(new Set(seen).size === seen.length, 'currency', 'stands twice')
  check.done('exchange rates')
  if ((await store.ratesUpsert(tx, accountId, rates)) > 0) await sweepAppend(tx, accountId, 'exchange rates set')
}

/** Takes a rate away: offers and stores in that currency have no price from then on. */
export async function deleteRate(tx: Tx, accountId: number, currency: string): Promise<void> {
  found(await store.rateDelete(tx, accountId, currency), `exchange rate for ${currency}`)
  await sweepAppend(tx, accountId, 'exchange rate deleted')
}

export interface NewRule {
  name: string
  /** Decimal text: 25 puts a quarter on top of the cost; not below -100. */
  markupPercent: string
  priority?: number
  storeId?: number | null
  groupId?: number | null
}

export async function createRule(tx: Tx, accountId: number, input: NewRule, isDefault = false): Promise<number> {
  const rule = { priority: 100, storeId: null, groupId: null, ...input, isDefault }
  const check = new Check()
  checkRule(check, rule)
  check.done('pricing rule')
  if ((await store.rulesList(tx, accountId)).length >= LIMITS.rulesPerAccountMax) {
    throw new HouseError('conflict', `an account has at most ${LIMITS.rulesPerAccountMax} pricing rules`)
  }
  const ruleId = await store.ruleInsert(tx, accountId, rule)
  await sweepAppend(tx, accountId, 'pricing rule created', rule.storeId)
  return ruleId
}

export async function editRule(tx: Tx, accountId: number, ruleId: number, changes: store.RuleChanges): Promise<void> {
  const check = new Check()
  checkRule(check, changes)
  check.done('pricing rule')
  found(await store.ruleUpdate(tx, accountId, ruleId, changes), `pricing rule ${ruleId}`)
  await sweepAppend(tx, accountId, 'pricing rule edited')
}

/** Deletes a rule. The default rule cannot be deleted. */
export async function deleteRule(tx: Tx, accountId: number, ruleId: number): Promise<void> {
  found(await store.ruleDelete(tx, accountId, ruleId), `pricing rule ${ruleId} that can be deleted`)
  await sweepAppend(tx, accountId, 'pricing rule deleted')
}

/** Sets labels, units and order of attributes. */
export async function setAttributeDefinitions(
  tx: Tx,
  accountId: number,
  definitions: readonly store.AttributeDefinitionRow[],
): Promise<void> {
  const check = new Check()
  const rows = definitions.map((definition) => {
    check.text(definition.key, definition.key, LIMITS.attributeKeyLengthMax)
    const labels = Object.entries(definition.labels).map(([locale, label]) => {
      check.text(`${definition.key}.${locale}`, label, LIMITS.nameLengthMax)
      return [check.locale(`${definition.key}.${locale}`, locale), label]
    })
    return { ...definition, labels: Object.fromEntries(labels) as Record<string, string> }
  })
  check.done('attribute definitions')
  await store.attributeDefinitionsUpsert(tx, accountId, rows)
  await sweepAppend(tx, accountId, 'attribute definitions set')
}

export async function deleteAttributeDefinition(tx: Tx, accountId: number, key: string): Promise<void> {
  found(await store.attributeDefinitionDelete(tx, accountId, key), `attribute definition «${key}»`)
  await sweepAppend(tx, accountId, 'attribute definition deleted')
}

function checkRule(check: Check, rule: store.RuleChanges): void {
  if (rule.name !== undefined) check.text('name', rule.name, LIMITS.nameLengthMax)
  if (rule.priority !== undefined) check.integer('priority', rule.priority, -PRIORITY_MAX, PRIORITY_MAX)
  if (rule.markupPercent !== undefined) {
    check.decimal('markup_percent', rule.markupPercent, { min: -100, integerDigits: 8, fractionDigits: 4 })
  }
}

function found(ok: boolean, what: string): void {
  if (!ok) throw new HouseError('unknown-reference', `the account has no ${what}`)
}
