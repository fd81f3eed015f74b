import type { AttributeType } from '../../contract/attribute-types.ts'
import { readStatedNumber, type StatedSign } from '../model/stated-number.ts'
import { foldUnit } from '../model/units.ts'
import { isYes } from '../model/yes-no.ts'

/** A value of an attribute, and how many offers have it. */
export interface CountedValue {
  value: string
  offers: number
}

export interface ProposedType {
  type: AttributeType
  separator: string | null
  decimal: StatedSign
  unit: string | null
}

/** The share of offers whose value must be readable by the type. */
const NEARLY_ALL = 0.9
/** The share of offers whose value must contain a separator for the attribute to be a list. */
const OFTEN = 0.2
/** Longer entries are sentences, in which separators are normal punctuation. */
const ENTRY_LENGTH_MAX = 60
const LISTS: readonly (readonly [separator: string | null, pattern: RegExp])[] = [
  [null, /[|;\n]/],
  // not a decimal comma, as in 1,25
  [',', /(?<!\d),|,(?!\d)/],
]

/** Proposes a type for the values of an attribute; null if they are neither numbers, lists nor yes and no. */
export function proposeType(values: readonly CountedValue[]): ProposedType | null {
  const all = values.reduce((sum, { offers }) => sum + offers, 0)
  if (all === 0) return null
  const share = (is: (value: string) => boolean) =>
    values.reduce((sum, { value, offers }) => (is(value) ? sum + offers : sum), 0) / all
  const none = { separator: null, decimal: null, unit: null }
  // values that are only 0 and 1 may be numbers
  if (share((value) => isYes(value) !== undefined) >= NEARLY_ALL && values.some(({ value }) => /\p{L}/u.test(value)))
    return { type: 'boolean', ...none }
  const signs = ([null, '.', ','] as const).map((decimal) => ({
    decimal,
    share: share((value) => 'plain' in readStatedNumber(value, decimal)),
  }))
  // the first of equally good ones, so that a decimal sign is stated only if necessary
  const best = signs.reduce((one, other) => (other.share > one.share ? other : one))
  if (best.share >= NEARLY_ALL)
    return { ...none, type: 'number', decimal: best.decimal, unit: unitOf(values, best.decimal) }
  for (const [separator, pattern] of LISTS) {
    const isListed = share((value) => pattern.test(value)) >= OFTEN
    const isShort = share((value) => value.split(pattern).every((entry) => entry.trim().length <= ENTRY_LENGTH_MAX))
    if (isListed && isShort >= NEARLY_ALL) return { ...none, type: 'list', separator }
  }
  return null
}

/** The unit of nearly all of the numbers, in its first spelling; null if there is none. */
function unitOf(values: readonly CountedValue[], decimal: StatedSign): string | null {
  const counts = new Map<string, { offers: number; written: string }>()
  let all = 0
  for (const { value, offers } of values) {
    const found = readStatedNumber(value, decimal)
    if ('reason' in found) continue
    all += offers
    if (found.unit === null) continue
    const unit = foldUnit(found.unit)
    const known = counts.get(unit)
    counts.set(unit, { offers: (known?.offers ?? 0) + offers, written: known?.written ?? found.unit })
  }
  for (const { offers, written } of counts.values()) if (offers >= all * NEARLY_ALL) return written
  return null
}
