import { say } from '../../../contract/remarks/remarks.ts'
import type { Fault } from '../../platform/errors.ts'
import { compileList, type ReadList } from './cells.ts'
import { CollectedColumns, distinct, fieldOf, isEmpty, type Field } from './collected-columns.ts'
import { compileCondition } from './conditions.ts'
import type { Grouping, Mapping } from '../mapping/mapping.ts'
import { takeRow } from '../row-work.ts'
import { memberText, unreadable, type Lookup, type RawRow, type ReadLimits, type Row, type Warn } from '../rows.ts'
import { must } from '../../platform/must.ts'

/** A row that can be read. */
interface Member {
  line: number
  row: Row
  /** Whether the row is an offer of its own. */
  isOffer: boolean
}

/**
 * Brings the rows of one product together: fills empty columns from its first row or its parent, and collects columns over its rows.
 * Rows that are no offers of their own become parts. Rows of one product must follow each other; with `anywhere` they may be apart,
 * and are kept until the end of the file, within a limit.
 * @param open returns the lookup of the file; called when its first row has been read
 * @throws ShelfwireError `source-unreadable` if a product has too many rows, or too many bytes would have to be kept
 */
export async function* groupRows(
  pages: AsyncIterable<RawRow[]>,
  mapping: Mapping,
  grouping: Grouping,
  open: () => Lookup,
  limits: ReadLimits,
  warn: Warn,
): AsyncGenerator<RawRow[]> {
  let grouper: Grouper | undefined
  for await (const page of pages) {
    const ready: RawRow[] = []
    for (const raw of page) {
      if (!('row' in raw)) ready.push(raw)
      else {
        grouper ??=
          grouping.parent === undefined
            ? new SharedKeyGrouper(mapping, grouping, open(), limits)
            : new ParentGrouper(mapping, grouping, open(), limits, warn)
        takeRow(grouper, raw, ready)
      }
    }
    if (ready.length > 0) yield ready
  }
  const rest: RawRow[] = []
  grouper?.end(rest)
  if (rest.length > 0) yield rest
}

abstract class Grouper {
  protected readonly limits: ReadLimits
  protected readonly isAnywhere: boolean
  readonly #keys: ReadList
  readonly #isOffer: (row: Row) => boolean
  protected readonly inherited: readonly Field[]
  protected readonly collected: CollectedColumns
  #keptBytes = 0

  constructor(mapping: Mapping, grouping: Grouping, lookup: Lookup, limits: ReadLimits) {
    this.limits = limits
    this.isAnywhere = grouping.anywhere === true
    this.#keys = compileList(grouping.by, { name: 'group.by', lookup, sign: mapping.decimal, written: '.' })
    this.#isOffer =
      grouping.offers === undefined ? () => true : compileCondition(grouping.offers, lookup, mapping.decimal)
    const isOptional = new Set(grouping.optional)
    const field = (column: string) => fieldOf(column, lookup, isOptional.has(column))
    this.inherited = (grouping.inherit ?? []).map(field)
    this.collected = new CollectedColumns(mapping, grouping, field)
  }

  abstract take(raw: { line: number; row: Row }, ready: RawRow[]): void
  abstract end(ready: RawRow[]): void

  protected keysOf(row: Row): string[] {
    const faults: Fault[] = []
    return this.#keys(row, faults) ?? []
  }

  protected memberOf(raw: { line: number; row: Row }): Member {
    return { ...raw, isOffer: this.#isOffer(raw.row) }
  }

  /** Counts the memory of a row that is kept. @throws ShelfwireError `source-unreadable` beyond the limit */
  protected keep(row: Row): void {
    this.#keptBytes += 100 + 2 * JSON.stringify(row).length
    if (this.#keptBytes > this.limits.importGroupBytesMax)
      throw unreadable(
        `rows that belong together are too far apart: more than ${this.limits.importGroupBytesMax} bytes would have to be kept; sort the file by the column of "group", or split it`,
      )
  }
}

/** Groups rows that share a key. */
class SharedKeyGrouper extends Grouper {
  readonly #continues: boolean
  readonly #orFirst: boolean
  #key: string | undefined
  #adjacent: Member[] = []
  /** How many rows without a key there were. Their line would not identify them, because rows of one record have the same line. */
  #alone = 0
  readonly #all = new Map<string, Member[]>()

  constructor(mapping: Mapping, grouping: Grouping, lookup: Lookup, limits: ReadLimits) {
    super(mapping, grouping, lookup, limits)
    this.#continues = grouping.continues === true
    this.#orFirst = grouping.orFirst === true
  }

  take(raw: { line: number; row: Row }, ready: RawRow[]): void {
    const [own] = this.keysOf(raw.row)
    const key = own === undefined && this.#continues ? this.#key : own
    const member = this.memberOf(raw)
    if (this.isAnywhere) {
      this.keep(raw.row)
      // a row without a key belongs to no other row
      const name = key === undefined ? `\0${this.#alone++}` : key
      const group = this.#all.get(name)
      if (group === undefined) this.#all.set(name, [member])
      else this.#add(group, member)
      return
    }
    if (key === undefined || key !== this.#key) {
      this.#finish(this.#adjacent, ready)
      this.#adjacent = []
      this.#key = key
    }
    this.#add(this.#adjacent, member)
  }

  end(ready: RawRow[]): void {
    this.#finish(this.#adjacent, ready)
    for (const group of this.#all.values()) this.#finish(group, ready)
  }

  #add(group: Member[], member: Member): void {
    if (group.length >= this.limits.importGroupRowsMax)
      throw unreadable(
        `line ${member.line}: more than ${this.limits.importGroupRowsMax} rows have the key of this one: check the column of "group"`,
      )
    group.push(member)
  }

  #finish(group: readonly Member[], ready: RawRow[]): void {
    const [first] = group
    if (first === undefined) return
    if (this.#orFirst && !group.some(({ isOffer }) => isOffer)) first.isOffer = true
    if (group.length === 1 && first.isOffer && this.collected.isNone) {
      ready.push({ line: first.line, row: first.row })
      return
    }
    const rows = group.map(({ row }) => row)
    const collected = this.collected.over(rows)
    const shared = this.inherited.map((field) => (this.isAnywhere ? agreedValue(group, field) : field.read(first.row)))
    for (const { line, row, isOffer } of group) {
      if (!isOffer) ready.push({ line, part: true, row })
      else if ('fault' in collected) ready.push(refused(line, row, collected.fault))
      else ready.push({ line, row: completed(row, this.inherited, shared, collected.lists) })
    }
  }
}

/** Completes rows that name another row as their parent. */
class ParentGrouper extends Grouper {
  readonly #parentOf: (row: Row) => unknown
  readonly #parents = new Map<string, Row>()
  /** Rows whose parent has not been read yet. */
  readonly #waiting: { member: Member; parent: string }[] = []
  readonly #warn: Warn
  #orphans = 0

  constructor(mapping: Mapping, grouping: Grouping, lookup: Lookup, limits: ReadLimits, warn: Warn) {
    super(mapping, grouping, lookup, limits)
    this.#parentOf = lookup(must(grouping.parent))
    this.#warn = warn
  }

  take(raw: { line: number; row: Row }, ready: RawRow[]): void {
    const member = this.memberOf(raw)
    const parent = memberText(this.#parentOf(raw.row))
    // systems that number their articles write 0 for no parent
    if (parent !== '' && parent !== '0') {
      const known = this.#parents.get(parent)
      if (known !== undefined || !this.isAnywhere) this.#finish(member, known, ready)
      else {
        this.keep(raw.row)
        this.#waiting.push({ member, parent })
      }
      return
    }
    const keys = this.keysOf(raw.row)
    if (keys.length > 0) {
      const kept = this.#keptPart(raw.row)
      this.keep(kept)
      for (const key of keys) this.#parents.set(key, kept)
    }
    ready.push(member.isOffer ? { line: raw.line, row: raw.row } : { line: raw.line, part: true, row: raw.row })
  }

  end(ready: RawRow[]): void {
    for (const { member, parent } of this.#waiting) this.#finish(member, this.#parents.get(parent), ready)
    if (this.#orphans > 0) {
      this.#warn(say(this.isAnywhere ? 'parents_missing' : 'parents_not_before', { rows: this.#orphans }))
    }
  }

  /** The part of a parent that its children need: its inherited and collected columns. */
  #keptPart(row: Row): Row {
    if (!Array.isArray(row)) {
      return Object.fromEntries(this.#taken().map((field) => [field.column, field.read(row)]))
    }
    const kept: unknown[] = []
    for (const field of this.#taken()) if (field.place >= 0) kept[field.place] = field.read(row)
    return Array.from(kept, (cell) => cell ?? '')
  }

  #taken(): Field[] {
    return [...this.inherited, ...this.collected.fields]
  }

  #finish({ line, row, isOffer }: Member, parent: Row | undefined, ready: RawRow[]): void {
    if (parent === undefined) this.#orphans++
    if (!isOffer) ready.push({ line, part: true, row })
    else if (parent === undefined) ready.push({ line, row })
    else {
      const shared = this.inherited.map((field) => field.read(parent))
      const collected = this.collected.over([row, parent])
      if ('fault' in collected) ready.push(refused(line, row, collected.fault))
      else ready.push({ line, row: completed(row, this.inherited, shared, collected.lists) })
    }
  }
}

/**
 * The value of a column if all rows that have one agree, because the order of rows that may be anywhere must not matter; undefined
 * otherwise.
 */
function agreedValue(group: readonly Member[], field: Field): unknown {
  const values = distinct(
    field,
    group.map(({ row }) => row),
  )
  return values.length === 1 ? values[0] : undefined
}

/** A row with a fault. It keeps its cells in a table, because they show which article is refused. */
const refused = (line: number, row: Row, fault: string): RawRow =>
  Array.isArray(row) ? { line, fault, cells: row as unknown[] } : { line, fault }

function completed(
  row: Row,
  inherited: readonly Field[],
  shared: readonly unknown[],
  lists: readonly (readonly [field: Field, values: unknown[]])[],
): Row {
  const cells = Array.isArray(row) ? [...(row as unknown[])] : undefined
  const members: Record<string, unknown> | undefined =
    cells === undefined ? { ...(row as Record<string, unknown>) } : undefined
  const set = (field: Field, value: unknown) => {
    if (cells !== undefined && field.place >= 0) cells[field.place] = value
    else if (members !== undefined) members[field.column] = value
  }
  for (const [i, field] of inherited.entries())
    if (isEmpty(field.read(row)) && !isEmpty(shared[i])) set(field, shared[i])
  for (const [field, values] of lists) set(field, values)
  return cells ?? members ?? row
}
