import { DIMENSIONS, type DimensionField, type valuesOf } from '../../../contract/product-fields.ts'
import { LENGTH } from '../../input/length.ts'
import type { Measure } from '../../input/measure.ts'
import { WEIGHT } from '../../input/weight.ts'
import { quoted, type Verdict } from '../../input/verdict.ts'
import { Exact } from '../../model/money.ts'
import { plainNumber, type DecimalSign } from '../numbers.ts'

// Reads weights and lengths as suppliers' files write them: `0,35 kg`, `350 g`, `12 oz`, `30 x 20 x 10 cm`. src/input checks the values.

const MEASURES = { weight: WEIGHT, length: LENGTH } as const satisfies Record<string, Measure>
/** The kinds of measures. */
export type MeasureKind = keyof typeof MEASURES

/** Whether the values of a field are weights or lengths. */
export const isMeasure = (values: ReturnType<typeof valuesOf>): values is MeasureKind => Object.hasOwn(MEASURES, values)

const NUMBER_AND_WORD = /^(.*?\d[.,]?)[ \u00a0\u2009\u202f]*(\p{L}{1,12}|["\u2033\u201d])\.?$/u
const UNIT_AT_END =
  /(?:(?:\(|\[|_|\d[ \u00a0\u2009\u202f]*|\bin )(\p{L}{1,12})|(?<=\d[ \u00a0]?)(["\u2033\u201d]))[)\].]?$/u
const TEXT_LENGTH_MAX = 100

/**
 * The unit after a number, or in the name of a column: `Weight (g)`, `weight_kg`, `Length in mm`. Undefined if there is none of this kind.
 */
export function unitOf(text: string, kind: MeasureKind): string | undefined {
  const found = UNIT_AT_END.exec(text.trim())
  const word = found?.[1] ?? found?.[2]?.replace('\u201d', '"')
  return word !== undefined && MEASURES[kind].isUnit(word) ? word : undefined
}

/** Reads a measure by the file's decimal sign. Without a unit it is in the unit in which it is stored. null: the cell is empty or 0. */
export function readFileMeasure(text: string, sign: DecimalSign, kind: MeasureKind): Verdict<string | null> {
  if (text === '') return { value: null }
  const [, number = text, unit = ''] = (text.length <= TEXT_LENGTH_MAX ? NUMBER_AND_WORD.exec(text) : null) ?? []
  const plain = plainNumber(number, sign, undefined, text)
  if ('reason' in plain) return plain
  return Number(plain.value) === 0
    ? { value: null }
    : MEASURES[kind].read(`${rounded(plain.value)} ${unit.replace('\u201d', '"')}`.trim())
}

const DECIMALS_MAX = 6
/** A number without the decimals that no scale shows, which programs write where they convert pounds to grams: `250.0201143`. */
function rounded(plain: string): string {
  if ((plain.split('.')[1] ?? '').length <= DECIMALS_MAX) return plain
  const short = new Exact(plain).toDecimalPlaces(DECIMALS_MAX)
  return short.isZero() ? plain : short.toFixed()
}

/** Length, width and height as src/input reads them; null: unknown. */
export type FileDimensions = Readonly<Record<DimensionField, string | null>>

const NONE: FileDimensions = { length: null, width: null, height: null }
/** The sign between two dimensions, each of which may have a unit. */
const BETWEEN = /[ \u00a0]*(?:[x\u00d7*/]|(?<=[ \u00a0])by(?=[ \u00a0]))[ \u00a0]*/iu

/**
 * Reads length, width and height that are written as one text, in this order: `30 x 20 x 10 cm`, `300×200×100 mm`, `30 cm * 20 cm * 10 cm`. A
 * unit after the last one applies to all three if the others have none. All three are null for an empty cell; a dimension of 0 is null.
 */
export function readFileDimensions(text: string, sign: DecimalSign): Verdict<FileDimensions> {
  if (text === '') return { value: NONE }
  const must = `must be length, width and height such as "30 x 20 x 10 cm", not ${quoted(text)}`
  const parts = text.length <= TEXT_LENGTH_MAX ? text.split(BETWEEN) : []
  if (parts.length !== DIMENSIONS.length) return { reason: must }
  const units = parts.map((part) => NUMBER_AND_WORD.exec(part.trim())?.[2])
  const last = units.at(-1)
  // in `30 cm x 20 x 10` the units of the others are unknown
  if (units.slice(0, -1).some((unit) => unit !== undefined) && units.includes(undefined)) return { reason: must }
  const found: Record<DimensionField, string | null> = { ...NONE }
  for (const [place, field] of DIMENSIONS.entries()) {
    const part = (parts[place] ?? '').trim()
    if (part === '') return { reason: must }
    const verdict = readFileMeasure(
      units[place] === undefined && last !== undefined ? `${part} ${last}` : part,
      sign,
      'length',
    )
    if ('reason' in verdict) return verdict
    found[field] = verdict.value
  }
  return { value: found }
}
