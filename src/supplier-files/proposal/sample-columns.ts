import { LIMITS } from '../../platform/limits.ts'
import { isNothing } from '../no-value.ts'
import { memberLookup, memberText, textOf } from '../rows.ts'

// The columns of the first rows of a file, which show what they are.

export type SampleRows = readonly Readonly<Record<string, unknown>>[]

/** A column or path of the sample, with its values that are not empty. */
export interface Column {
  name: string
  values: string[]
  isList: boolean
  /** How many values a row has, at most. */
  most: number
}

/** Members within members that are looked at: lists of GraphQL have theirs within `edges` and `node`. */
const DEPTH_MAX = 6
/** Values of a list that are looked at, in each row. */
const VALUES_OF_LIST_MAX = 100

/** The columns of the rows, and the paths of members within members. */
export function columnsOf(rows: SampleRows): Column[] {
  const columns = new Map<string, Column>()
  /** Of each column the last row that has it, and its values before that row. */
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

/** The share of the values for which a test holds. */
export const share = (values: readonly string[], test: (value: string) => boolean) =>
  values.length === 0 ? 0 : values.filter(test).length / values.length
/** The same for a field that an offer may lack, as long as most cells have a value: `-` and `n/a` count as empty. */
export const shareOfStated = (values: readonly string[], test: (value: string) => boolean) => {
  const stated = values.filter((value) => !isNothing(value))
  return share(stated.length * 2 < values.length ? values : stated, test)
}

/** What a row has in a column or at a path, as text. What has members has none, and neither has a list. */
export function textAt(row: SampleRows[number] | undefined, name: string): string {
  if (row === undefined) return ''
  const value = Object.hasOwn(row, name) ? row[name] : name.includes('.') ? memberLookup(name)(row) : undefined
  const text = typeof value === 'object' && value !== null && textOf(value) === undefined ? '' : memberText(value)
  return text.slice(0, LIMITS.detectValueCharactersMax)
}
