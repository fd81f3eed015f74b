import { LIMITS } from '../../platform/limits.ts'
import { isNothing } from '../no-value.ts'
import { memberLookup, memberText, textOf } from '../rows.ts'

// The columns of the first rows of a file, from which a mapping is proposed.

/** The first rows of a file, as objects with members. */
export type SampleRows = readonly Readonly<Record<string, unknown>>[]

/** A column or path of the sample, with its values that are not empty. `isList`: a row may have several. */
export interface Column {
  name: string
  values: string[]
  isList: boolean
  /** The greatest number of values in a row. */
  most: number
}

/** How deep members are followed: lists of GraphQL are within `edges` and `node`. */
const DEPTH_MAX = 6
/** How many values of a list are taken, in each row. */
const VALUES_OF_LIST_MAX = 100

/** The columns of the rows; for objects within them, the paths of their members. */
export function columnsOf(rows: SampleRows): Column[] {
  const columns = new Map<string, Column>()
  /** For each column, the last row that has it, and how many values it had before that row. */
  const last = new Map<Column, { row: number; before: number }>()
  let at = 0
  let left: number = LIMITS.detectValuesMax * 2
  const add = (name: string, value: unknown, depth: number, isInList = false) => {
    if (--left < 0) return
    if (Array.isArray(value) && value.some((member) => typeof member === 'object' && member !== null)) {
      for (const member of value.slice(0, 20)) add(name, member, depth, true)
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < DEPTH_MAX) {
      for (const [key, member] of Object.entries(value))
        add(key === '#text' ? name : `${name}.${key}`, member, depth + 1, isInList)
    } else {
      const column = columns.get(name) ?? { name, values: [], isList: false, most: 0 }
      if (!columns.has(name) && columns.size >= LIMITS.importColumnsMax) return
      columns.set(name, column)
      if (isInList || Array.isArray(value)) column.isList = true
      const known = last.get(column)
      const before = known?.row === at ? known.before : column.values.length
      if (known?.row !== at) last.set(column, { row: at, before })
      for (const member of Array.isArray(value) ? value.slice(0, VALUES_OF_LIST_MAX) : [value]) {
        const text = memberText(member)
        if (text !== '') column.values.push(text.slice(0, LIMITS.detectValueCharactersMax))
      }
      column.most = Math.max(column.most, column.values.length - before)
    }
  }
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) add(name, value, 0)
    at++
  }
  return [...columns.values()]
}

/** The share, 0 to 1, of the values that pass a test; 0 without values. */
export const share = (values: readonly string[], test: (value: string) => boolean) =>
  values.length === 0 ? 0 : values.filter(test).length / values.length
/**
 * The share for a field that an offer may lack: `-` and `n/a` are left out, as long as at least half of the values are
 * others.
 */
export const shareOfStated = (values: readonly string[], test: (value: string) => boolean) => {
  const stated = values.filter((value) => !isNothing(value))
  return share(stated.length * 2 < values.length ? values : stated, test)
}

/** The text of a row in a column or at a path, shortened; '' for objects without a text of their own, and for lists. */
export function textAt(row: SampleRows[number] | undefined, name: string): string {
  if (row === undefined) return ''
  const value = Object.hasOwn(row, name) ? row[name] : name.includes('.') ? memberLookup(name)(row) : undefined
  const text = typeof value === 'object' && value !== null && textOf(value) === undefined ? '' : memberText(value)
  return text.slice(0, LIMITS.detectValueCharactersMax)
}
