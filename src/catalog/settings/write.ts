import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import { LIMITS } from '../../ground/limits.ts'
import type { SourceField } from '../../resolve/inputs.ts'
import { canonicalLocale, Check } from '../check.ts'
import { sweepAppend } from '../marks/store.ts'
import { pricingRulesForgetGroup } from '../pricing/store.ts'
import { checkConditions, requireNamed } from '../rule-conditions.ts'
import * as store from './store.ts'

// Each of these moves payloads of a whole account, so each appends a sweep in the transaction that writes it.

/** Opens a customer group: every store shows one price per group. */
export async function createGroup(tx: Tx, accountId: number, name: string, isDefault = false): Promise<number> {
  const check = new Check()
  check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  if ((await store.groupsList(tx, accountId)).length >= LIMITS.groupsPerAccountMax) {
    throw new HouseError('conflict', `an account has at most ${LIMITS.groupsPerAccountMax} customer groups`)
  }
  const groupId = await store.groupInsert(tx, accountId, name, isDefault)
  await sweepAppend(tx, accountId, 'customer group created', { half: 'price' })
  return groupId
}

export async function renameGroup(tx: Tx, accountId: number, groupId: number, name: string): Promise<void> {
  const check = new Check()
  check.text('name', name, LIMITS.nameLengthMax)
  check.done('customer group')
  found(await store.groupRename(tx, accountId, groupId, name), `customer group ${groupId}`)
  await sweepAppend(tx, accountId, 'customer group renamed', { half: 'price' })
}

/** Deletes a group and takes it out of all rules; rules for it alone go with it. The default group cannot be deleted. */
export async function deleteGroup(tx: Tx, accountId: number, groupId: number): Promise<void> {
  found(await store.groupDelete(tx, accountId, groupId), `customer group ${groupId} that can be deleted`)
  await pricingRulesForgetGroup(tx, accountId, groupId)
  await sweepAppend(tx, accountId, 'customer group deleted', { half: 'price' })
}

/** Sets exchange rates: units of each currency per one unit of the account's. Equal rates sweep nothing. */
export async function setRates(tx: Tx, accountId: number, rates: readonly store.RateRow[]): Promise<void> {
  const check = new Check()
  for (const { currency, rate } of rates) {
    // of several the currency says which one is meant
    const name = rates.length === 1 ? 'rate' : currency
    check.currency(rates.length === 1 ? 'currency' : currency, currency)
    check.decimal(name, rate, { integerDigits: 12, fractionDigits: 12 })
    check.that(/[1-9]/.test(rate) && !rate.startsWith('-'), name, 'must be above 0')
  }
  const seen = rates.map((row) => row.currency)
  check.that(new Set(seen).size === seen.length, 'currency', 'stands twice')
  const own = await store.accountCurrency(tx, accountId)
  check.that(!seen.includes(own), 'currency', `${own} is the account’s own, of which one is always one`)
  check.done('exchange rates')
  if ((await store.ratesUpsert(tx, accountId, rates)) > 0) await sweepAppend(tx, accountId, 'exchange rates set', { half: 'price' })
}

/** Takes a rate away: offers and stores in that currency have no price from then on. */
export async function deleteRate(tx: Tx, accountId: number, currency: string): Promise<void> {
  found(await store.rateDelete(tx, accountId, currency), `exchange rate for ${currency}`)
  await sweepAppend(tx, accountId, 'exchange rate deleted', { half: 'price' })
}

/** A definition to set; units and options may be left out. */
export type NewAttributeDefinition = Omit<store.AttributeDefinitionRow, 'units' | 'options'> & Partial<Pick<store.AttributeDefinitionRow, 'units' | 'options'>>

/**
 * Sets labels, units, order and option values of attributes, each definition as a whole; equal ones sweep nothing. Faults
 * of one among several are named after its key: `color.labels.en`.
 */
export async function setAttributeDefinitions(tx: Tx, accountId: number, definitions: readonly NewAttributeDefinition[]): Promise<void> {
  const check = new Check()
  const rows = definitions.map((definition) =>
    checkDefinition(check, definitions.length === 1 ? '' : `${definition.key.slice(0, 40)}.`, { units: {}, options: {}, ...definition }),
  )
  const keys = definitions.map((definition) => definition.key)
  check.that(new Set(keys).size === keys.length, 'key', 'stands twice')
  check.done('attribute definitions')
  const news = await store.attributeDefinitionsUpsert(tx, accountId, rows)
  if ((await store.attributeDefinitionsCount(tx, accountId)) > LIMITS.attributeDefinitionsPerAccountMax) {
    throw new HouseError('conflict', `an account has at most ${LIMITS.attributeDefinitionsPerAccountMax} attribute definitions`)
  }
  if (news > 0) await sweepAppend(tx, accountId, 'attribute definitions set')
}

/** locale -> text; null takes the entry away. */
type TextChanges = Readonly<Record<string, string | null>>

/** What an edit of a definition changes: maps are merged entry by entry, and null in place of an entry or a map takes it away. */
export interface AttributeDefinitionChanges {
  unit?: string | null
  units?: TextChanges | null
  position?: number
  labels?: TextChanges | null
  /** Value as suppliers state it -> locale -> text shown. */
  options?: Readonly<Record<string, TextChanges | null>> | null
}

/** Edits a definition; what is not named stays, entries of its maps too. One that ends as it was sweeps nothing. */
export async function editAttributeDefinition(tx: Tx, accountId: number, key: string, changes: AttributeDefinitionChanges): Promise<void> {
  const old = await store.attributeDefinitionLock(tx, accountId, key)
  if (old === undefined) throw new HouseError('unknown-reference', `the account has no attribute definition «${key.slice(0, 80)}»`)
  const check = new Check()
  const options = new Map(Object.entries(changes.options === null ? {} : old.options))
  for (const [value, texts] of Object.entries(changes.options ?? {})) {
    if (texts === null) options.delete(value)
    else options.set(value, merged(check, `options.${value.slice(0, 40)}`, options.get(value) ?? {}, texts))
  }
  const row = checkDefinition(check, '', {
    key,
    unit: changes.unit === undefined ? old.unit : changes.unit,
    units: merged(check, 'units', old.units, changes.units),
    position: changes.position ?? old.position,
    labels: merged(check, 'labels', old.labels, changes.labels),
    options: Object.fromEntries(options),
  })
  check.done('attribute definition')
  if (isDeepStrictEqual(row, { ...old })) return
  await store.attributeDefinitionsUpsert(tx, accountId, [row])
  await sweepAppend(tx, accountId, 'attribute definition edited')
}

/** A map by locale after changes of single entries. */
function merged(check: Check, name: string, old: Readonly<Record<string, string>>, changes: TextChanges | null | undefined): Record<string, string> {
  const texts = new Map(Object.entries(changes === null ? {} : old))
  const seen = new Set<string>()
  for (const [stated, text] of Object.entries(changes ?? {})) {
    const locale = canonicalLocale(stated) ?? stated
    check.that(!seen.has(locale), `${name}.${stated.slice(0, 40)}`, 'stands twice')
    seen.add(locale)
    if (text === null) texts.delete(locale)
    else texts.set(locale, text)
  }
  return Object.fromEntries(texts)
}

function checkDefinition(check: Check, at: string, definition: store.AttributeDefinitionRow): store.AttributeDefinitionRow {
  const { key, unit, units, position, labels, options } = definition
  check.text('key', key, LIMITS.attributeKeyLengthMax)
  if (unit !== null) check.text(`${at}unit`, unit, LIMITS.nameLengthMax)
  check.integer(`${at}position`, position, -LIMITS.priorityMax, LIMITS.priorityMax)
  check.that(Object.keys(options).length <= LIMITS.attributeOptionsMax, `${at}options`, `must be at most ${LIMITS.attributeOptionsMax}`)
  const clean = Object.entries(options).map(([value, texts]) => {
    const name = `${at}options.${value.slice(0, 40)}`
    check.text(name, value, LIMITS.attributeValueLengthMax)
    return [value, byLocale(check, name, texts)] as const
  })
  return { key, unit, units: byLocale(check, `${at}units`, units), position, labels: byLocale(check, `${at}labels`, labels), options: Object.fromEntries(clean) }
}

function byLocale(check: Check, name: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(texts)
  check.that(entries.length <= LIMITS.localesPerDefinitionMax, name, `must name at most ${LIMITS.localesPerDefinitionMax} locales`)
  const seen = new Map<string, string>()
  for (const [stated, text] of entries) {
    const at = `${name}.${stated.slice(0, 40)}`
    check.text(at, text, LIMITS.nameLengthMax)
    const locale = check.locale(at, stated)
    check.that(!seen.has(locale), at, 'stands twice')
    seen.set(locale, text)
  }
  return Object.fromEntries(seen)
}

/** Which suppliers are asked first for a field; the others follow by their priority. An empty list takes the order away. */
export async function setSourceOrder(tx: Tx, accountId: number, field: SourceField, supplierIds: readonly number[]): Promise<void> {
  const check = new Check()
  const fields: readonly string[] = ['title', 'description', 'manufacturer', 'category', 'images', 'attributes', 'ean', 'sku']
  check.that(fields.includes(field), 'field', `must be one of ${fields.join(', ')}`)
  if (supplierIds.length > 0) checkConditions(check, { supplierIds })
  check.that(new Set(supplierIds).size === supplierIds.length, 'supplier_ids', 'names a supplier twice')
  check.done('source order')
  await requireNamed(tx, accountId, { supplierIds })
  await store.sourceOrderWrite(tx, accountId, field, supplierIds)
  await sweepAppend(tx, accountId, 'source order set')
}

export async function deleteAttributeDefinition(tx: Tx, accountId: number, key: string): Promise<void> {
  found(await store.attributeDefinitionDelete(tx, accountId, key), `attribute definition «${key}»`)
  await sweepAppend(tx, accountId, 'attribute definition deleted')
}

function found(ok: boolean, what: string): void {
  if (!ok) throw new HouseError('unknown-reference', `the account has no ${what}`)
}
