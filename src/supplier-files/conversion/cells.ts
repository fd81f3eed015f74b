import { exactText } from '../../input/decimal.ts'
import type { Verdict } from '../../input/verdict.ts'
import { Exact } from '../../model/money.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { compileCondition } from './conditions.ts'
import { compileFormula } from '../mapping/expression.ts'
import type { ColumnSource, Source, SumSource, TierSource } from '../mapping/mapping.ts'
import { inNotation, numberWithoutUnit, readMoney, type DecimalSign } from '../numbers.ts'
import { compilePattern } from '../mapping/pattern.ts'
import { countWork, countReading } from '../row-work.ts'
import { memberLookup, textOf, type Lookup, type Row } from '../rows.ts'

/** Reads one cell. @returns undefined: the row does not have it; '': it is empty. Adds to `faults` what is wrong with it. */
export type ReadCell = (row: Row, faults: Fault[]) => string | undefined

/**
 * Reads any number of values; undefined: the row has none of the sources. The readers of compileList leave out empty values, those of
 * compileEach keep them.
 */
export type ReadList = (row: Row, faults: Fault[]) => string[] | undefined

/**
 * How a source is read. `name`: the field, for faults. `sign`: the decimal sign of the file, by which texts are read as numbers.
 * `written`: the decimal sign in which numbers are returned.
 */
export interface CellContext {
  name: string
  lookup: Lookup
  sign: DecimalSign
  written: DecimalSign
  /** Whether a text means that the cell is empty. */
  isEmpty?: (text: string) => boolean
  /** The number that a text counts as in a sum if it is no plain number: `>10` pieces, `in stock`. */
  count?: (text: string) => Verdict<number>
}

/** Compiles a source of one value. @throws Error for an invalid formula or regular expression, which parseMapping has excluded */
export function compileCell(source: Source, context: CellContext): ReadCell {
  if (typeof source === 'string') return compileColumn({ column: source }, context)
  if ('constant' in source) return () => source.constant
  if ('join' in source) {
    const parts = source.join.map((part) => compileCell(part, context))
    const between = source.with ?? ' '
    return (row, faults) => {
      const values = parts.map((part) => part(row, faults)).filter((value) => value !== undefined)
      if (values.length === 0) return undefined
      const kept = values.filter((value) => value !== '')
      const length = kept.reduce((sum, value) => sum + value.length, between.length * Math.max(0, kept.length - 1))
      return isWithin(length, context, faults) ? kept.join(between) : ''
    }
  }
  if ('first' in source) return compileFirst(source.first, context)
  if ('when' in source) {
    const isMet = compileCondition(source.when, context.lookup, context.sign)
    const [met, otherwise] = [source.use, source.else].map((branch) =>
      branch === undefined ? () => undefined : compileCell(branch, context),
    ) as [ReadCell, ReadCell]
    return (row, faults) => (isMet(row) ? met(row, faults) : otherwise(row, faults))
  }
  if ('calc' in source) return compileCalc(source, context)
  if ('tiers' in source) return compileTiers(source, context)
  if ('sum' in source) return compileSum(source, context)
  return compileColumn(source, context)
}

/** The first value that is not empty. Empty sources before it may still have faults. */
function compileFirst(sources: readonly Source[], context: CellContext): ReadCell {
  const readers = sources.map((source) => compileCell(source, context))
  return (row, faults) => {
    let found: string | undefined
    for (const read of readers) {
      const value = read(row, faults)
      if (value !== undefined && value !== '') return value
      found ??= value
    }
    return found
  }
}

/** Compiles a formula. Its result is empty if one of its values is empty, and undefined if the row lacks one of them. */
function compileCalc(source: { calc: string; of: Record<string, Source> }, context: CellContext): ReadCell {
  const formula = compileFormula(source.calc)
  const operands = Object.entries(source.of).map(([name, of]) => ({
    name,
    read: compileCell(of, { ...context, written: context.sign }),
  }))
  return (row, faults) => {
    const values = new Map<string, string>()
    let isEmpty = false
    let isMissing = false
    for (const { name, read } of operands) {
      const text = read(row, faults)
      if (text === undefined) isMissing = true
      else if (text === '') isEmpty = true
      else {
        const number = operand(text, context.sign)
        if ('value' in number) values.set(name, number.value)
        else {
          faults.push({ name: context.name, reason: `in the formula, ${name} ${number.reason}` })
          isEmpty = true
        }
      }
    }
    if (isMissing) return undefined
    if (isEmpty) return ''
    const result = formula.calculate((name) => values.get(name) ?? '0')
    if ('value' in result) return inNotation(result.value, context.written)
    faults.push({ name: context.name, reason: `the formula ${result.reason}` })
    return ''
  }
}

/** Reads a number with or without a currency, a percent sign or a unit. */
function operand(text: string, sign: DecimalSign): { value: string } | { reason: string } {
  const money = readMoney(text, sign)
  return 'value' in money ? { value: money.value.amount } : numberWithoutUnit(text, sign)
}

function compileTiers(source: TierSource, context: CellContext): ReadCell {
  const get = context.lookup(source.tiers)
  const inner = { ...context, lookup: memberLookup }
  const price = compileCell(source.price, inner)
  const from = source.from === undefined ? undefined : compileCell(source.from, inner)
  const isWanted = source.where === undefined ? () => true : compileCondition(source.where, memberLookup, context.sign)
  const quantity = source.quantity ?? 1
  return (row, faults) => {
    const tiers = get(row)
    if (tiers === undefined) return undefined
    let best: { bound: number; price: string } | undefined
    for (const tier of Array.isArray(tiers) ? (tiers as unknown[]) : [tiers]) {
      countWork(1)
      if (typeof tier !== 'object' || tier === null || !isWanted(tier as Row)) continue
      const bound = lowerBound(from?.(tier as Row, faults), context.sign)
      if (bound > quantity || (best !== undefined && bound <= best.bound)) continue
      const value = price(tier as Row, faults)
      if (value !== undefined && value !== '') best = { bound, price: value }
    }
    return best?.price ?? ''
  }
}

/**
 * Compiles a sum. It is empty if all its values are empty, and undefined if the row has none of them. A text that is no number is a
 * fault.
 */
function compileSum(source: SumSource, context: CellContext): ReadCell {
  const read = typeof source.sum === 'string' ? compileAmounts(source, context) : compileList(source.sum, context)
  return (row, faults) => {
    const values = read(row, faults)
    if (values === undefined || values.length === 0) return values === undefined ? undefined : ''
    let total = ZERO
    for (const text of values) {
      const plain = /^\d{1,15}$/.test(text)
      const number = plain ? { value: text } : summand(text, context)
      if ('value' in number) total = total.plus(number.value)
      else {
        faults.push({ name: context.name, reason: `in the sum, ${JSON.stringify(text.slice(0, 60))} ${number.reason}` })
        return ''
      }
    }
    return inNotation(total.toFixed(), context.written)
  }
}

const ZERO = new Exact(0)

function summand(text: string, { sign, count }: CellContext): Verdict<string> {
  const number = operand(text, sign)
  if ('value' in number || count === undefined) return number
  const counted = count(text)
  return 'value' in counted ? { value: String(counted.value) } : counted
}

/** Reads the amounts of the members of a list; undefined if the row does not have the list. */
function compileAmounts(source: SumSource, context: CellContext): ReadList {
  const { sum, amount, where } = source as Exclude<SumSource, { sum: Source[] }>
  const get = context.lookup(sum)
  const read = compileList(amount, { ...context, lookup: memberLookup })
  const isWanted = where === undefined ? () => true : compileCondition(where, memberLookup, context.sign)
  return (row, faults) => {
    const list = get(row)
    if (list === undefined) return undefined
    return (Array.isArray(list) ? (list as unknown[]) : [list]).flatMap((member) => {
      countWork(1)
      if (typeof member !== 'object' || member === null || !isWanted(member as Row)) return []
      return read(member as Row, faults) ?? []
    })
  }
}

/** The quantity from which a tier applies: 0 if it states none; Infinity, which excludes the tier, if it is no number. */
function lowerBound(text: string | undefined, sign: DecimalSign): number {
  if (text === undefined || text === '') return 0
  const number = numberWithoutUnit(text, sign)
  return 'value' in number ? Number(number.value) : Infinity
}

/**
 * Compiles one or more sources of values: a source with `split` gives all its pieces, and a list all its members. Empty values are left
 * out.
 */
export function compileList(sources: Source | readonly Source[], context: CellContext): ReadList {
  const readers = [sources].flat().map((source) => compileMany(source, context))
  const [first] = readers
  // the usual case, without a second list
  if (first !== undefined && readers.length === 1)
    return (row, faults) => {
      const values = first(row, faults)
      return values?.includes('') === true ? values.filter((value) => value !== '') : values
    }
  return (row, faults) => {
    let all: string[] | undefined
    for (const read of readers) {
      const values = read(row, faults)
      if (values === undefined) continue
      all ??= []
      for (const value of values) if (value !== '') all.push(value)
    }
    return all
  }
}

/** Compiles sources of values into one reader each, which keep empty values at their positions. */
export const compileEach = (sources: Source | readonly Source[], context: CellContext): ReadList[] =>
  [sources].flat().map((source) => compileMany(source, context))

function compileMany(source: Source, context: CellContext): ReadList {
  if (typeof source !== 'string' && !('column' in source)) return one(compileCell(source, context))
  const column: ColumnSource = typeof source === 'string' ? { column: source } : source
  if (column.take !== undefined) return one(compileCell(source, context))
  const get = context.lookup(column.column, column.optional)
  const shape = compileShape(column, context)
  const { split } = column
  const add = (piece: string | undefined, values: string[], faults: Fault[]) => {
    const before = faults.length
    const shaped = shape(piece, faults)
    if (shaped !== undefined && faults.length === before) values.push(shaped)
  }
  return (row, faults) => {
    const value = get(row)
    const values: string[] = []
    let found = false
    for (const member of Array.isArray(value) ? (value as unknown[]) : [value]) {
      countWork(1)
      const text = scalarText(member, context, faults)
      if (text !== undefined) found = true
      if (split === undefined || text === undefined) {
        add(text, values, faults)
        continue
      }
      countWork(text.length)
      for (const piece of text.split(split)) add(piece, values, faults)
    }
    return found || values.length > 0 || Array.isArray(value) ? values : undefined
  }
}

function one(read: ReadCell): ReadList {
  return (row, faults) => {
    const value = read(row, faults)
    return value === undefined ? undefined : [value]
  }
}

function compileColumn(source: ColumnSource, context: CellContext): ReadCell {
  const get = context.lookup(source.column, source.optional)
  const shape = compileShape(source, context)
  const { split, take } = source
  return (row, faults) => {
    let value = get(row)
    if (take !== undefined && Array.isArray(value)) value = (value as unknown[]).at(take) ?? null
    // an XML element that occurs once is like a list with one member
    else if (take !== undefined && split === undefined && value !== undefined && take !== 0 && take !== -1) value = null
    let text = scalarText(value, context, faults)
    if (take !== undefined && split !== undefined && text !== undefined) {
      countWork(text.length)
      text = text.split(split).at(take) ?? ''
    }
    return shape(text, faults)
  }
}

/**
 * Compiles the steps after a value has been read and split, in this order: trim, capture, replace, values, number, prefix and suffix,
 * trim, default. Without options a value is only trimmed. No step makes a text longer than a cell may be.
 */
function compileShape(
  source: ColumnSource,
  context: CellContext,
): (text: string | undefined, faults: Fault[]) => string | undefined {
  const { trim = true, capture, replace = [], values, prefix = '', suffix = '', default: fallback } = source
  const translate = values === undefined ? undefined : new Map(Object.entries(values))
  const otherwise = translate?.get('*')
  const pattern = capture === undefined ? undefined : compilePattern(capture)
  const isNumber = source.number === true
  const isAffixed = prefix !== '' || suffix !== ''
  const { isEmpty } = context
  const isPlain =
    replace.length === 0 &&
    translate === undefined &&
    prefix === '' &&
    suffix === '' &&
    pattern === undefined &&
    !isNumber
  return (text, faults) => {
    if (text === undefined) return fallback
    countReading(text)
    let value = trim ? text.trim() : text
    if (!isPlain) {
      if (pattern !== undefined) value = pattern.capture(value)
      for (const [from, to] of replace) {
        countReading(value)
        const count = occurrences(value, from)
        if (count === 0) continue
        countWork(count)
        if (!isWithin(value.length + count * (to.length - from.length), context, faults)) return ''
        value = value.split(from).join(to)
      }
      if (translate !== undefined) value = translate.get(value) ?? (value === '' ? '' : (otherwise ?? value))
      if (isEmpty?.(value.trim()) === true) value = ''
      if (isNumber && value.trim() !== '') {
        const number = numberWithoutUnit(value.trim(), context.sign)
        if ('value' in number) value = inNotation(number.value, context.written)
        else faults.push({ name: context.name, reason: number.reason })
      }
      if (value !== '' && isAffixed) {
        if (!isWithin(prefix.length + value.length + suffix.length, context, faults)) return ''
        value = prefix + value + suffix
      }
      if (trim) value = value.trim()
    } else if (isEmpty?.(value.trim()) === true) value = ''
    return value === '' && fallback !== undefined ? fallback : value
  }
}

/** Whether the result of a step may have this length; adds a fault if not. Called before the text is made. */
function isWithin(length: number, { name }: CellContext, faults: Fault[]): boolean {
  countWork(1 + length / 8)
  if (length <= LIMITS.importCellCharactersMax) return true
  faults.push({ name, reason: `becomes longer than ${LIMITS.importCellCharactersMax} characters by the mapping` })
  return false
}

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++
  return count
}

function scalarText(value: unknown, context: CellContext, faults: Fault[]): string | undefined {
  if (typeof value === 'string') return value
  if (value === undefined) return undefined
  if (value === null) return ''
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberText(value, context, faults)
  if (!Array.isArray(value)) {
    const text = textOf(value)
    if (text !== undefined) return scalarText(text, context, faults)
    // an empty XML element that has attributes
    if (Object.keys(value).every((name) => name.startsWith('@'))) return ''
  }
  const what = Array.isArray(value) ? 'a list: say which member with "take"' : 'an object: name one of its members'
  faults.push({ name: context.name, reason: `is ${what}` })
  return undefined
}

/** JSON.parse has made binary floats of numbers: one with more digits than these can hold may have been altered, and is a fault. */
function numberText(value: number, context: CellContext, faults: Fault[]): string | undefined {
  const text = exactText(value)
  if ('value' in text) return inNotation(text.value, context.written)
  faults.push({ name: context.name, reason: text.reason })
  return undefined
}
