import type { AttributeType } from '../../../contract/attribute-types.ts'
import { visible } from '../../model/blank.ts'
import { isShort, NUMBER_DIGITS_MAX, readStatedNumber, type StatedSign } from '../../model/stated-number.ts'
import { converted, foldUnit, isKnownUnit } from '../../model/units.ts'
import { isYes } from '../../model/yes-no.ts'
import { LIMITS } from '../../platform/limits.ts'

// Reads attribute values by the type of their definition. The payload's `value` is unchanged; a value that does not fit the type is not
// guessed.

/** How an attribute's values are to be read. */
export interface TypeRule {
  type: AttributeType
  /** Separates the entries of a list; null: `|`, `;` and line breaks. */
  separator: string | null
  /** The decimal sign of numbers; null: inferred where the number itself shows it. */
  decimal: StatedSign
  /** The unit as the store shows it. */
  unit: string | null
  /** All names of the unit in any language, folded by foldUnit. */
  unitNames: ReadonlySet<string>
  /** Shows an entry of a list in the store's language. */
  option: (entry: string) => string
}

/** The members of a payload attribute that come from its type, in order. */
export interface TypedMembers {
  type: AttributeType
  value_number?: number
  unit?: string
  value_boolean?: boolean
  values?: string[]
}

/** @property unread why the value does not fit the type; absent if it does */
export interface TypedValue {
  members: TypedMembers
  unread?: string
}

const SEPARATORS = /[|;\r\n]/

export function readTyped(stated: string, rule: TypeRule): TypedValue {
  const { type } = rule
  if (type === 'number') return readNumber(stated, rule)
  if (type === 'list') return readList(stated, rule)
  if (type === 'text') return { members: { type } }
  const is = isYes(stated)
  return is === undefined
    ? { members: { type }, unread: 'it is no word for yes or no' }
    : { members: { type, value_boolean: is } }
}

function readNumber(stated: string, { type, decimal, unit, unitNames }: TypeRule): TypedValue {
  const members: TypedMembers = { type }
  const found = readStatedNumber(stated, decimal)
  if ('reason' in found) return { members, unread: found.reason }
  const read = (plain: string, inUnit: string | null): TypedValue => ({
    members: { type, value_number: Number(plain), ...(inUnit === null ? {} : { unit: inUnit }) },
  })
  if (found.unit === null) return read(found.plain, unit)
  const own = foldUnit(found.unit)
  if (unit === null)
    return unitNames.size === 0 || unitNames.has(own) ? read(found.plain, found.unit) : other(members, found.unit)
  if (own === foldUnit(unit)) return read(found.plain, unit)
  const plain = converted(found.plain, own, unit, NUMBER_DIGITS_MAX)
  if (plain === null || (plain !== undefined && !isShort(plain)))
    return { members, unread: `in ${unit} it has no exact value of ${NUMBER_DIGITS_MAX} digits` }
  if (plain !== undefined) return read(plain, unit)
  // the unit may be written in another language
  return unitNames.has(own) && !(isKnownUnit(own) && isKnownUnit(unit))
    ? read(found.plain, unit)
    : other(members, found.unit)
}

const other = (members: TypedMembers, unit: string): TypedValue => ({
  members,
  unread: `its unit "${unit}" is not the attribute’s`,
})

function readList(stated: string, { type, separator, option }: TypeRule): TypedValue {
  const entries = stated.split(separator ?? SEPARATORS).flatMap((entry) => {
    const shown = visible(entry)
    return shown === null ? [] : [option(shown)]
  })
  const different = [...new Set(entries)]
  if (different.length === 0) return { members: { type }, unread: 'it has no entries' }
  if (different.length > LIMITS.attributeListEntriesMax)
    return { members: { type }, unread: `it has more than ${LIMITS.attributeListEntriesMax} entries` }
  return { members: { type, values: different } }
}
