import type { Tx } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import { LIMITS } from '../../ground/limits.ts'
import type { SourceField } from '../../resolve/inputs.ts'
import { Check } from '../check.ts'
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
    check.currency(currency, currency)
    check.decimal(currency, rate, { integerDigits: 12, fractionDigits: 12 })
    check.that(/[1-9]/.test(rate) && !rate.startsWith('-'), currency, 'a rate is above 0')
  }
  const seen = rates.map((row) => row.currency)
  check.that(new Set(seen).size === seen.length, 'currency', 'stands twice')
  check.done('exchange rates')
  if ((await store.ratesUpsert(tx, accountId, rates)) > 0) await sweepAppend(tx, accountId, 'exchange rates set', { half: 'price' })
}

/** Takes a rate away: offers and stores in that currency have no price from then on. */
export async function deleteRate(tx: Tx, accountId: number, currency: string): Promise<void> {
  found(await store.rateDelete(tx, accountId, currency), `exchange rate for ${currency}`)
  await sweepAppend(tx, accountId, 'exchange rate deleted', { half: 'price' })
}

/** A definition to set; options may be left out. */
export type NewAttributeDefinition = Omit<store.AttributeDefinitionRow, 'options'> & { options?: store.AttributeDefinitionRow['options'] }

/** Sets labels, units, order and option values of attributes. */
export async function setAttributeDefinitions(tx: Tx, accountId: number, definitions: readonly NewAttributeDefinition[]): Promise<void> {
  const check = new Check()
  const rows = definitions.map((definition) => {
    const { key, options = {} } = definition
    check.text(key, key, LIMITS.attributeKeyLengthMax)
    if (definition.unit !== null) check.text(`${key}.unit`, definition.unit, LIMITS.nameLengthMax)
    check.that(Object.keys(options).length <= LIMITS.attributeOptionsMax, `${key}.options`, `must be at most ${LIMITS.attributeOptionsMax}`)
    return {
      ...definition,
      labels: byLocale(check, key, definition.labels),
      options: Object.fromEntries(
        Object.entries(options).map(([value, texts]) => {
          check.text(`${key}.options`, value, LIMITS.attributeValueLengthMax)
          return [value, byLocale(check, `${key}.options.${value.slice(0, 40)}`, texts)]
        }),
      ),
    }
  })
  const keys = definitions.map((definition) => definition.key)
  check.that(new Set(keys).size === keys.length, 'key', 'stands twice')
  check.done('attribute definitions')
  await store.attributeDefinitionsUpsert(tx, accountId, rows)
  if ((await store.attributeDefinitionsCount(tx, accountId)) > LIMITS.attributeDefinitionsPerAccountMax) {
    throw new HouseError('conflict', `an account has at most ${LIMITS.attributeDefinitionsPerAccountMax} attribute definitions`)
  }
  await sweepAppend(tx, accountId, 'attribute definitions set')
}

function byLocale(check: Check, name: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([locale, text]) => {
      check.text(`${name}.${locale}`, text, LIMITS.nameLengthMax)
      return [check.locale(`${name}.${locale}`, locale), text]
    }),
  )
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
