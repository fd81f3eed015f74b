import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { Check } from '../../input/check.ts'
import { canonicalLocale } from '../../input/locale.ts'
import { trimmed } from '../../model/blank.ts'
import { sweepAppend } from '../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../stale/written.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import {
  attributeDefinitionDelete,
  attributeDefinitionLock,
  type AttributeDefinitionRow,
  attributeDefinitionsCount,
  attributeDefinitionsUpsert,
} from './attribute-definitions.sql.ts'
import { requireFound } from './require-found.ts'

/** A definition to set; units and options may be left out. */
export type NewAttributeDefinition = Omit<AttributeDefinitionRow, 'units' | 'options'> &
  Partial<Pick<AttributeDefinitionRow, 'units' | 'options'>>

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
      ...definition,
    }),
  )
  const keys = definitions.map((definition) => definition.key)
  check.that(new Set(keys).size === keys.length, 'key', 'is duplicated')
  check.done('attribute definitions')
  const changed = await attributeDefinitionsUpsert(tx, accountId, rows)
  if ((await attributeDefinitionsCount(tx, accountId)) > LIMITS.attributeDefinitionsPerAccountMax) {
    throw new ShelfwireError(
      'conflict',
      `an account has at most ${LIMITS.attributeDefinitionsPerAccountMax} attribute definitions`,
    )
  }
  if (changed > 0) await sweepAppend(tx, accountId, 'attribute definitions set')
  return settingsWritten()
}

/** locale -> text; null removes the entry. */
type TextChanges = Readonly<Record<string, string | null>>

/** Changes to a definition: maps are merged by entry; null removes an entry, or, in place of a map, all of them. */
export interface AttributeDefinitionChanges {
  unit?: string | null
  units?: TextChanges | null
  position?: number
  labels?: TextChanges | null
  /** Value as suppliers send it -> locale -> text shown. */
  options?: Readonly<Record<string, TextChanges | null>> | null
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
    else options.set(value, merged(check, `options.${value.slice(0, 40)}`, options.get(value) ?? {}, texts))
  }
  const row = checkDefinition(
    check,
    '',
    {
      key,
      unit: changes.unit === undefined ? old.unit : changes.unit,
      units: merged(check, 'units', old.units, changes.units),
      position: changes.position ?? old.position,
      labels: merged(check, 'labels', old.labels, changes.labels),
      options: Object.fromEntries(options),
    },
    localesOf(old),
  )
  check.done('attribute definition')
  if (isDeepStrictEqual(row, { ...old })) return settingsWritten()
  await attributeDefinitionsUpsert(tx, accountId, [row])
  await sweepAppend(tx, accountId, 'attribute definition edited')
  return settingsWritten()
}

/** A map by locale after changes to single entries. */
function merged(
  check: Check,
  name: string,
  old: Readonly<Record<string, string>>,
  changes: TextChanges | null | undefined,
): Record<string, string> {
  const texts = new Map(Object.entries(changes === null ? {} : old))
  const seen = new Set<string>()
  for (const [given, text] of Object.entries(changes ?? {})) {
    const locale = canonicalLocale(given) ?? given
    check.that(!seen.has(locale), `${name}.${given.slice(0, 40)}`, 'is duplicated')
    seen.add(locale)
    if (text === null) texts.delete(locale)
    else texts.set(locale, text)
  }
  return Object.fromEntries(texts)
}

/** Every locale that a definition names. */
const localesOf = ({ units, labels, options }: AttributeDefinitionRow): ReadonlySet<string> =>
  new Set([units, labels, ...Object.values(options)].flatMap((texts) => Object.keys(texts)))

/** @param stored locales that stay as they are: releases before took any tag of the right form */
function checkDefinition(
  check: Check,
  at: string,
  definition: AttributeDefinitionRow,
  stored: ReadonlySet<string> = new Set(),
): AttributeDefinitionRow {
  const { key, unit, units, position, labels, options } = definition
  check.key('key', key, LIMITS.attributeKeyLengthMax)
  const shownUnit = unit === null ? null : check.text(`${at}unit`, unit, LIMITS.nameLengthMax)
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
    clean.set(value, byLocale(check, name, texts, stored))
  }
  return {
    key,
    unit: shownUnit,
    units: byLocale(check, `${at}units`, units, stored),
    position,
    labels: byLocale(check, `${at}labels`, labels, stored),
    options: Object.fromEntries(clean),
  }
}

function byLocale(
  check: Check,
  name: string,
  texts: Readonly<Record<string, string>>,
  stored: ReadonlySet<string>,
): Record<string, string> {
  const entries = Object.entries(texts)
  check.that(
    entries.length <= LIMITS.localesPerDefinitionMax,
    name,
    `must name at most ${LIMITS.localesPerDefinitionMax} locales`,
  )
  const seen = new Map<string, string>()
  for (const [given, text] of entries) {
    if (check.isFull) break
    const at = `${name}.${given.slice(0, 40)}`
    const shown = check.text(at, text, LIMITS.nameLengthMax)
    const locale = stored.has(given) ? given : check.locale(at, given)
    check.that(!seen.has(locale), at, 'is duplicated')
    seen.set(locale, shown)
  }
  return Object.fromEntries(seen)
}

/** Deletes a definition: the attribute is then shown by its key. @throws ShelfwireError unknown-reference. */
export async function deleteAttributeDefinition(tx: Tx, accountId: number, key: string): Promise<Written> {
  await settingsLock(tx, accountId)
  requireFound(await attributeDefinitionDelete(tx, accountId, key), `attribute definition "${key}"`)
  await sweepAppend(tx, accountId, 'attribute definition deleted')
  return settingsWritten()
}
