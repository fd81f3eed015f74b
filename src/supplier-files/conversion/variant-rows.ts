import { say } from '../../../contract/remarks/remarks.ts'
import type { Fault } from '../../platform/errors.ts'
import { must } from '../../platform/must.ts'
import { compileList, type ReadList } from './cells.ts'
import { compileCondition } from './conditions.ts'
import type { Grouping, Mapping, Variants } from '../mapping/mapping.ts'
import { unpack } from './packed.ts'
import { countWork, takeRow } from '../row-work.ts'
import { memberText, type Lookup, type RawRow, type ReadLimits, type Row, type Warn } from '../rows.ts'

// Some rows list their variants, as a configurable product of Magento does, and the rows of the variants do not name it. A variant's row
// therefore gets further columns from the row that lists it: `parent.sku` and so on, `variant` (its piece of the list) and `variant.position`.

/** The values of the further columns of a variant, by column. */
type Listed = Readonly<Record<string, unknown>>

const PARENT = 'parent.'
const PIECE = 'variant'
const POSITION = 'variant.position'

/** The further columns of the variants in one file. */
export class VariantColumns {
  /** No entry: the row is no variant. null: it is unknown whether it is one. */
  readonly #listed = new WeakMap<Row, Listed | null>()
  readonly #ofParent = new Map<string, (row: Row) => unknown>()

  /** The lookup of the file, extended by the further columns: they are empty if a row is no variant, and undefined if that is unknown. */
  beside(lookup: Lookup): Lookup {
    const wider: Lookup = (column, isOptional) => {
      if (column.startsWith(PARENT)) this.#ofParent.set(column, lookup(column.slice(PARENT.length), isOptional))
      else if (column !== PIECE && column !== POSITION) return lookup(column, isOptional)
      return (row) => {
        const listed = this.#listed.get(row)
        return listed === undefined ? '' : listed?.[column]
      }
    }
    if (lookup.columns !== undefined) wider.columns = lookup.columns
    return wider
  }

  /** The values that the variants of a row take from it. */
  ofParent(row: Row): Listed {
    return Object.fromEntries([...this.#ofParent].map(([column, read]) => [column, read(row)]))
  }

  set(row: Row, listed: Listed | null): void {
    this.#listed.set(row, listed)
  }
}

/**
 * Connects variants with the row that lists them, which may be before or after them; the first row that lists a variant counts. Rows that no
 * row has listed so far wait for the end of the file, within a limit: beyond it they are passed on, and keep the group that they have.
 * @param open returns the lookup of the file; called when its first row has been read
 */
export async function* variantRows(
  pages: AsyncIterable<RawRow[]>,
  mapping: Mapping,
  grouping: Grouping,
  columns: VariantColumns,
  open: () => Lookup,
  limits: ReadLimits,
  warn: Warn,
): AsyncGenerator<RawRow[]> {
  let lists: VariantLists | undefined
  for await (const page of pages) {
    const ready: RawRow[] = []
    for (const raw of page) {
      if (!('row' in raw) || 'part' in raw) ready.push(raw)
      else {
        lists ??= new VariantLists(mapping, grouping, columns, open(), limits, warn)
        takeRow(lists, raw, ready)
      }
    }
    if (ready.length > 0) yield ready
  }
  const rest = lists?.end() ?? []
  for (let at = 0; at < rest.length; at += limits.importPageRows) yield rest.slice(at, at + limits.importPageRows)
}

interface Plain {
  line: number
  row: Row
}

/** The memory that a row takes, roughly, in bytes. */
function bytesOf(row: Row): number {
  if (!Array.isArray(row)) return 100 + 2 * JSON.stringify(row).length
  let bytes = 100
  for (const cell of row as unknown[]) bytes += 16 + 2 * (typeof cell === 'string' ? cell.length : 8)
  return bytes
}

class VariantLists {
  readonly #columns: VariantColumns
  readonly #variants: Variants
  readonly #keys: ReadList
  readonly #read: (row: Row) => unknown
  readonly #isAlone: (row: Row) => boolean
  readonly #bytesMax: number
  readonly #warn: Warn
  /** The further columns of the variants listed so far, by the variant's key. */
  readonly #known = new Map<string, Listed>()
  /** Rows that may be variants, by key, in the order of the file. Rows without a key are no variants. */
  readonly #waiting = new Map<string, Plain[]>()
  #keptBytes = 0
  #isFull = false

  constructor(
    mapping: Mapping,
    grouping: Grouping,
    columns: VariantColumns,
    lookup: Lookup,
    limits: ReadLimits,
    warn: Warn,
  ) {
    this.#columns = columns
    this.#variants = must(grouping.variants)
    this.#keys = compileList(grouping.by, { name: 'group.by', lookup, sign: mapping.decimal, written: '.' })
    this.#read = lookup(this.#variants.column, this.#variants.optional)
    const { alone } = this.#variants
    this.#isAlone = alone === undefined ? () => true : compileCondition(alone, lookup, mapping.decimal)
    this.#bytesMax = limits.importGroupBytesMax
    this.#warn = warn
  }

  take(raw: Plain, ready: RawRow[]): void {
    const cell = this.#read(raw.row)
    // a table without the column does not show which rows are variants
    if (cell === undefined) {
      this.#columns.set(raw.row, null)
      ready.push(raw)
      return
    }
    const list = memberText(cell)
    if (list !== '' && !this.#isFull) this.#list(raw, list, ready)
    const faults: Fault[] = []
    const [key] = list === '' ? (this.#keys(raw.row, faults) ?? []) : []
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined) this.#columns.set(raw.row, known)
    if (known !== undefined || key === undefined) ready.push(raw)
    else if (this.#isFull) {
      this.#columns.set(raw.row, null)
      ready.push(raw)
    } else {
      const same = this.#waiting.get(key)
      if (same === undefined) this.#waiting.set(key, [raw])
      else same.push(raw)
      this.#keep(bytesOf(raw.row), ready)
    }
  }

  /** Returns the rows that no row has listed, at the end of the file. */
  end(): RawRow[] {
    const rows = this.#taken()
    for (const { row } of rows) if (!this.#isAlone(row)) this.#columns.set(row, null)
    return rows
  }

  #list(raw: Plain, list: string, ready: RawRow[]): void {
    countWork(list.length)
    const { between, pair, assign, key: name } = this.#variants
    const ofParent = this.#columns.ofParent(raw.row)
    let bytes = 100 + 2 * JSON.stringify(ofParent).length
    let position = 0
    for (const piece of list.split(between)) {
      const key = unpack(piece, { pair, assign })?.find(([member]) => member === name)?.[1]
      if (key === undefined || key === '') continue
      position++
      if (this.#known.has(key)) continue
      const listed = { ...ofParent, [PIECE]: piece, [POSITION]: String(position) }
      this.#known.set(key, listed)
      bytes += 200 + 2 * piece.length
      for (const row of this.#waiting.get(key) ?? []) {
        this.#columns.set(row.row, listed)
        ready.push(row)
        bytes -= bytesOf(row.row)
      }
      this.#waiting.delete(key)
    }
    this.#keep(bytes, ready)
  }

  #keep(bytes: number, ready: RawRow[]): void {
    this.#keptBytes += bytes
    if (this.#isFull || this.#keptBytes <= this.#bytesMax) return
    this.#isFull = true
    this.#warn(say('variants_too_late', {}))
    for (const row of this.#taken()) {
      this.#columns.set(row.row, null)
      ready.push(row)
    }
    this.#known.clear()
  }

  /** Removes and returns the waiting rows, in the order of the file. */
  #taken(): Plain[] {
    const rows = [...this.#waiting.values()].flat().toSorted((a, b) => a.line - b.line)
    this.#waiting.clear()
    return rows
  }
}
