import { isDeepStrictEqual } from 'node:util'
import { ATTRIBUTE_TYPES, DECIMAL_SIGNS, type AttributeType } from '../../../../contract/attribute-types.ts'
import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { Check } from '../../../input/check.ts'
import { trimmed } from '../../../model/blank.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { requireRoom } from '../../../accounts/limits/limits.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import {
  attributeBytes,
  attributeBytesOf,
  attributeDefinitionDelete,
  attributeDefinitionLock,
  type AttributeDefinitionRow,
  attributeDefinitionsCount,
  attributeDefinitionsUpsert,
} from './attribute-definitions.sql.ts'
import { requireFound } from '../require-found.ts'
import { mergedTexts, textsByLocale, type TextChanges } from './texts-by-locale.ts'

/** A definition to set; these members may be left out. */
type Omitted = 'units' | 'options' | 'type' | 'separator' | 'decimal'
export type NewAttributeDefinition = Omit<AttributeDefinitionRow, Omitted> &
  Partial<Pick<AttributeDefinitionRow, Omitted>>

/**
 * Replaces definitions of attributes: labels, units, order and option values; unchanged ones cause no sweep. Faults
 * are named by key when there are several: `color.labels.en`.
 */
export async function setAttributeDefinitions(
  tx: Tx,
  accountId: number,
  definitions: readonly NewAttributeDefinition[],
): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const rows = definitions.map((definition) =>
    checkDefinition(check, definitions.length === 1 ? '' : `${definition.key.slice(0, 40)}.`, {
      units: {},
      options: {},
      type: null,
      separator: null,
      decimal: null,
      ...definition,
    }),
  )
  const keys = definitions.map((definition) => definition.key)
  check.that(new Set(keys).size === keys.length, 'key', 'is duplicated')
  check.done('attribute definitions')
  const changed = await writeWithRoom(tx, accountId, rows)
  if ((await attributeDefinitionsCount(tx, accountId)) > LIMITS.attributeDefinitionsPerAccountMax) {
    throw new ShelfwireError(
      'conflict',
      `an account has at most ${LIMITS.attributeDefinitionsPerAccountMax} attribute definitions`,
    )
  }
  if (changed > 0) await sweepAppend(tx, accountId, 'attribute definitions set', { half: 'content' })
  return settingsWritten()
}

/**
 * Writes definitions if the account's budget has room for them; definitions that take no more room than before are
 * always written.
 * @returns how many changed. @throws ShelfwireError quota-exceeded; invalid-input for one that is too large by itself.
 */
async function writeWithRoom(tx: Tx, accountId: number, rows: readonly AttributeDefinitionRow[]): Promise<number> {
  const keys = rows.map(({ key }) => key)
  const before = await attributeBytesOf(tx, accountId, keys)
  const changed = await attributeDefinitionsUpsert(tx, accountId, rows)
  if (changed === 0) return 0
  // read back, so that the same formula counts the bytes before and after
  const after = await attributeBytesOf(tx, accountId, keys)
  const moreOf = ([key, bytes]: readonly [string, number]) => bytes - (before.get(key) ?? 0)
  for (const one of after) {
    const [key, bytes] = one
    if (bytes > LIMITS.attributeDefinitionBytesMax && moreOf(one) > 0) {
      const reason = `must be at most ${LIMITS.attributeDefinitionBytesMax} bytes with its labels and units; "${key.slice(0, 40)}" would have ${bytes}`
      throw new ShelfwireError('invalid-input', `options ${reason}`, { faults: [{ name: 'options', reason }] })
    }
  }
  const more = [...after].reduce((sum, one) => sum + moreOf(one), 0)
  if (more > 0) await requireRoom(tx, accountId, 'attribute_bytes', (await attributeBytes(tx, accountId)) - more, more)
  return changed
}

/** Changes to a definition: maps are merged by entry; null removes an entry or, in place of a map, all of them. */
export interface AttributeDefinitionChanges {
  unit?: string | null
  units?: TextChanges | null
  position?: number
  labels?: TextChanges | null
  /** Value as suppliers send it -> locale -> text shown. */
  options?: Readonly<Record<string, TextChanges | null>> | null
  type?: AttributeType | null
  separator?: string | null
  decimal?: '.' | ',' | null
}

/** Edits a definition; absent members and entries stay unchanged. Without a difference there is no sweep. */
export async function editAttributeDefinition(
  tx: Tx,
  accountId: number,
  key: string,
  changes: AttributeDefinitionChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = await attributeDefinitionLock(tx, accountId, key)
  if (old === undefined)
    throw new ShelfwireError('unknown-reference', `the account has no attribute definition "${key.slice(0, 80)}"`)
  const check = new Check()
  const options = new Map(
    Object.entries(changes.options === null ? {} : old.options).map(([value, texts]) => [trimmed(value), texts]),
  )
  for (const [given, texts] of Object.entries(changes.options ?? {})) {
    const value = trimmed(given)
    if (texts === null) options.delete(value)
    else options.set(value, mergedTexts(check, `options.${value.slice(0, 40)}`, options.get(value) ?? {}, texts))
  }
  const row = checkDefinition(
    check,
    '',
    {
      key,
      unit: changes.unit === undefined ? old.unit : changes.unit,
      units: mergedTexts(check, 'units', old.units, changes.units),
      position: changes.position ?? old.position,
      labels: mergedTexts(check, 'labels', old.labels, changes.labels),
      options: Object.fromEntries(options),
      type: changes.type === undefined ? old.type : changes.type,
      separator: changes.separator === undefined ? old.separator : changes.separator,
      decimal: changes.decimal === undefined ? old.decimal : changes.decimal,
    },
    localesOf(old),
  )
  check.done('attribute definition')
  if (isDeepStrictEqual(row, { ...old })) return settingsWritten()
  await writeWithRoom(tx, accountId, [row])
  await sweepAppend(tx, accountId, 'attribute definition edited', { half: 'content' })
  return settingsWritten()
}

/** Every locale that a definition names. */
const localesOf = ({ units, labels, options }: AttributeDefinitionRow): ReadonlySet<string> =>
  new Set([units, labels, ...Object.values(options)].flatMap((texts) => Object.keys(texts)))

/** @param stored locales that are accepted as they are, because earlier releases accepted any tag of the right form */
function checkDefinition(
  check: Check,
  at: string,
  definition: AttributeDefinitionRow,
  stored: ReadonlySet<string> = new Set(),
): AttributeDefinitionRow {
  const { key, unit, units, position, labels, options, type, separator, decimal } = definition
  check.key('key', key, LIMITS.attributeKeyLengthMax)
  const shownUnit = unit === null ? null : check.text(`${at}unit`, unit, LIMITS.nameLengthMax)
  check.that(
    type === null || ATTRIBUTE_TYPES.includes(type),
    `${at}type`,
    `must be one of ${ATTRIBUTE_TYPES.join(', ')}`,
  )
  check.that(decimal === null || DECIMAL_SIGNS.includes(decimal), `${at}decimal`, 'must be "." or ","')
  check.that(
    separator === null || isSeparator(separator),
    `${at}separator`,
    `must have 1 to ${LIMITS.attributeSeparatorLengthMax} characters, none of them NUL`,
  )
  check.integer(`${at}position`, position, -LIMITS.priorityMax, LIMITS.priorityMax)
  check.that(
    Object.keys(options).length <= LIMITS.attributeOptionsMax,
    `${at}options`,
    `must be at most ${LIMITS.attributeOptionsMax}`,
  )
  const clean = new Map<string, Record<string, string>>()
  for (const [given, texts] of Object.entries(options)) {
    if (check.isFull) break
    const name = `${at}options.${given.slice(0, 40)}`
    const value = check.text(name, given, LIMITS.attributeValueLengthMax)
    check.that(!clean.has(value), name, 'is duplicated')
    clean.set(value, textsByLocale(check, name, texts, LIMITS.nameLengthMax, stored))
  }
  return {
    key,
    unit: shownUnit,
    units: textsByLocale(check, `${at}units`, units, LIMITS.nameLengthMax, stored),
    position,
    labels: textsByLocale(check, `${at}labels`, labels, LIMITS.nameLengthMax, stored),
    options: Object.fromEntries(clean),
    type,
    separator,
    decimal,
  }
}

/** Blanks and line feeds are allowed. */
const isSeparator = (text: string) =>
  text.length >= 1 && text.length <= LIMITS.attributeSeparatorLengthMax && text.isWellFormed() && !text.includes('\0')

/** Deletes a definition: the attribute is then shown by its key. @throws ShelfwireError unknown-reference. */
export async function deleteAttributeDefinition(tx: Tx, accountId: number, key: string): Promise<Written> {
  await settingsLock(tx, accountId)
  requireFound(await attributeDefinitionDelete(tx, accountId, key), `attribute definition "${key}"`)
  await sweepAppend(tx, accountId, 'attribute definition deleted', { half: 'content' })
  return settingsWritten()
}
