import { exactText } from '../input/decimal.ts'
import type { Fault } from '../platform/errors.ts'
import type { ColumnSource, Source } from './mapping.ts'
import type { Lookup, Row } from './rows.ts'

/** Reads one cell: `undefined` = not in the row, `''` = empty. What is wrong is added to `faults`. */
export type ReadCell = (row: Row, faults: Fault[]) => string | undefined

/** Reads any number of values, without the empty ones; `undefined` = none of its sources is in the row. */
export type ReadList = (row: Row, faults: Fault[]) => string[] | undefined

/** Where a reading ends up: `name` for its faults; `point` is the decimal sign that JSON numbers are written with. */
export interface CellContext {
  name: string
  lookup: Lookup
  point: '.' | ','
}

/** Compiles a source of one value. Steps in order: trim, split and take, replace, values, prefix and suffix, default. */
export function compileCell(source: Source, context: CellContext): ReadCell {
  if (typeof source === 'string') return compileColumn({ column: source }, context)
  if ('constant' in source) return () => source.constant
  if ('join' in source) {
    const parts = source.join.map((part) => compileCell(part, context))
    const between = source.with ?? ' '
    return (row, faults) => {
      const values = parts.map((part) => part(row, faults)).filter((value) => value !== undefined)
      return values.length === 0 ? undefined : values.filter((value) => value !== '').join(between)
    }
  }
  return compileColumn(source, context)
}

/** Compiles one or more sources of values; a source with `split` gives all its pieces, a JSON list all its members. */
export function compileList(sources: Source | readonly Source[], context: CellContext): ReadList {
  const readers = [sources].flat().map((source) => compileMany(source, context))
  return (row, faults) => {
    let all: string[] | undefined
    for (const read of readers) {
      const values = read(row, faults)
      if (values !== undefined) (all ??= []).push(...values.filter((value) => value !== ''))
    }
    return all
  }
}

function compileMany(source: Source, context: CellContext): ReadList {
  if (typeof source !== 'string' && !('column' in source)) return one(compileCell(source, context))
  const column: ColumnSource = typeof source === 'string' ? { column: source } : source
  if (column.take !== undefined) return one(compileCell(source, context))
  const get = context.lookup(column.column)
  const shape = compileShape(column)
  const { split } = column
  return (row, faults) => {
    const value = get(row)
    const members = Array.isArray(value) ? value : [value]
    const values: string[] = []
    let found = false
    for (const member of members) {
      const text = scalarText(member, context, faults)
      if (text !== undefined) found = true
      for (const piece of split === undefined || text === undefined ? [text] : text.split(split)) {
        const shaped = shape(piece)
        if (shaped !== undefined) values.push(shaped)
      }
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
  const get = context.lookup(source.column)
  const shape = compileShape(source)
  const { split, take } = source
  return (row, faults) => {
    let value = get(row)
    if (take !== undefined && Array.isArray(value)) value = value.at(take) ?? null
    let text = scalarText(value, context, faults)
    if (take !== undefined && split !== undefined && text !== undefined) text = text.split(split).at(take) ?? ''
    return shape(text)
  }
}

/** Everything after a value has been read and split. Without options a value is only trimmed. */
function compileShape(source: ColumnSource): (text: string | undefined) => string | undefined {
  const { trim = true, replace = [], values, prefix = '', suffix = '', default: fallback } = source
  const translate = values === undefined ? undefined : new Map(Object.entries(values))
  const plain = replace.length === 0 && translate === undefined && prefix === '' && suffix === ''
  return (text) => {
    if (text === undefined) return fallback
    let value = trim ? text.trim() : text
    if (!plain) {
      for (const [from, to] of replace) value = value.replaceAll(from, () => to)
      value = translate?.get(value) ?? value
      if (value !== '') value = prefix + value + suffix
    }
    return value === '' && fallback !== undefined ? fallback : value
  }
}

function scalarText(value: unknown, context: CellContext, faults: Fault[]): string | undefined {
  if (typeof value === 'string') return value
  if (value === undefined) return undefined
  if (value === null) return ''
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberText(value, context, faults)
  const what = Array.isArray(value) ? 'a list: say which member with "take"' : 'an object: name one of its members'
  faults.push({ name: context.name, reason: `is ${what}` })
  return undefined
}

/** JSON numbers are binary floats by now: what has more digits than these keep may have been altered. */
function numberText(value: number, context: CellContext, faults: Fault[]): string | undefined {
  const text = exactText(value)
  if ('value' in text) return context.point === '.' ? text.value : text.value.replace('.', context.point)
  faults.push({ name: context.name, reason: text.reason })
  return undefined
}
