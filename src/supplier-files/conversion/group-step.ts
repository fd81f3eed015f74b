import { tooMany } from '../../input/list.ts'
import { readOptionalText, readText } from '../../input/text.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { GroupOption, OfferGroup } from '../../model/offer.ts'
import { compileAttributes } from './attributes.ts'
import { compileCell, type CellContext, type ReadCell } from './cells.ts'
import type { Fields, Source } from '../mapping/mapping.ts'
import type { DecimalSign } from '../numbers.ts'
import type { Lookup, Row } from '../rows.ts'

/** The fields of a mapping that make up a group of variants, with `group_options`. */
export const GROUP_SOURCES = ['group_key', 'group_title', 'group_position'] as const

/**
 * Reads the group of variants that a row states. null: the key is empty. undefined: the row does not have the key, or the group cannot be read;
 * the known group is then kept.
 * @param locale of the title
 */
export function compileGroup(
  fields: Fields,
  locale: string,
  lookup: Lookup,
  sign: DecimalSign,
): (row: Row, dropped: Fault[]) => OfferGroup | null | undefined {
  const context = (name: string): CellContext => ({ name, lookup, sign, written: '.' })
  const [readKey, readTitle, readPosition] = GROUP_SOURCES.map((name): ReadCell | undefined => {
    const source: Source | undefined = fields[name]
    return source === undefined ? undefined : compileCell(source, context(name))
  })
  const readOptions =
    fields.group_options === undefined ? undefined : compileAttributes(fields.group_options, lookup, sign)
  return (row, dropped) => {
    const faults: Fault[] = []
    const text = readKey?.(row, faults)
    if (text === '') return null
    const group: { -readonly [K in keyof OfferGroup]: OfferGroup[K] } | undefined =
      text === undefined ? undefined : { key: text, title: {}, options: [], position: null }
    if (group !== undefined) {
      const key = readText(text, LIMITS.groupKeyLengthMax)
      if ('value' in key) group.key = key.value
      else faults.push({ name: 'group_key', reason: key.reason })
      const title = readOptionalText(readTitle?.(row, faults) ?? null, LIMITS.groupTitleLengthMax)
      if ('reason' in title) faults.push({ name: 'group_title', reason: title.reason })
      else if (title.value !== null) group.title = { [locale]: title.value }
      const position = readPosition?.(row, faults) ?? ''
      if (/^\d{1,6}$/.test(position)) group.position = Number(position)
      else if (position !== '')
        faults.push({ name: 'group_position', reason: 'must be a whole number of at most 6 digits' })
      const found: Fault[] = []
      const options = readOptions?.(row, found)?.attributes ?? []
      for (const { name, reason } of found) faults.push({ name: name.replace(/^attributes/, 'group_options'), reason })
      group.options = optionsOf(options, faults)
    }
    dropped.push(...faults)
    return faults.length > 0 ? undefined : group
  }
}

function optionsOf(attributes: readonly { key: string; value: string }[], faults: Fault[]): GroupOption[] {
  if (attributes.length > LIMITS.groupOptionsMax)
    faults.push({ name: 'group_options', reason: tooMany(attributes.length, LIMITS.groupOptionsMax) })
  return attributes.map(({ key, value }) => {
    const read = readText(value, LIMITS.groupOptionValueLengthMax)
    if ('value' in read) return { key, label: null, value: read.value }
    faults.push({ name: `group_options.${key}`, reason: read.reason })
    return { key, label: null, value }
  })
}
