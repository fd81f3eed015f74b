import type { GridColumn } from './columns.ts'
import { isReadOnly } from './read-only.ts'

// The state of the grid: products as the service has them, unsaved input, faults, and undo steps. It has no rules on values,
// because the service validates them.

/** The owner's value of a cell. null: none, so the suppliers' value is shown; false: a hidden attribute. */
export type Own = string | false | null
export interface Stock {
  quantity: number
  cost: string | null
}
interface Cell {
  own: Own
  supplied: string | null
}
export interface SheetRow {
  id: number
  sku: string | null
  title: string | null
  title_locale: string | null
  picture: string | null
  stock: Stock | null
  /** By column name. Those of own stock are derived from `stock`. */
  cells: Map<string, Cell>
}

/** The unsaved input of a cell. */
export interface Draft {
  value: Own
  /** The value at the time of typing, which the service must find. */
  expected: Own
  /** The same for a column of own stock. */
  stock: Stock | null
  /** A large change of a price has been confirmed. */
  isJumpRight?: true
}

/**
 * Why a cell was not saved. conflict: somebody else has changed it; jump: the price changes so much that it must be
 * confirmed.
 */
export interface CellFault {
  kind: 'refused' | 'conflict' | 'jump'
  reason: string
}

export interface Change {
  id: number
  column: string
  before: Own
  after: Own
}

const EMPTY: Cell = { own: null, supplied: null }
export const keyOf = (id: number, column: string) => `${id} ${column}`

export function partsOf(key: string): { id: number; column: string } {
  const at = key.indexOf(' ')
  return { id: Number(key.slice(0, at)), column: key.slice(at + 1) }
}

/** Normalizes an amount as the service does, so that `0,60` does not replace `0.6`; other texts stay as they are. */
function plainDecimal(text: string): string {
  const [, whole = '', digits = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(text.trim()) ?? []
  if (whole === '') return text
  const fraction = digits.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '')}${fraction === '' ? '' : `.${fraction}`}`
}

function stockCell(stock: Stock | null, column: string): Cell | undefined {
  if (column === 'quantity') return { own: stock === null ? null : String(stock.quantity), supplied: null }
  return column === 'cost' ? { own: stock?.cost ?? null, supplied: null } : undefined
}

/** The mutable state of a grid. Components subscribe to it; `version` increases with every change. */
export class SheetState {
  version = 0
  readonly rows: SheetRow[] = []
  readonly drafts = new Map<string, Draft>()
  readonly faults = new Map<string, CellFault>()
  readonly #byId = new Map<number, SheetRow>()
  readonly #listeners = new Set<() => void>()
  #done: (readonly Change[])[] = []
  #undone: (readonly Change[])[] = []

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getVersion = (): number => this.version

  changed(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }

  row(id: number): SheetRow | undefined {
    return this.#byId.get(id)
  }

  /** Adds products that were read at the end, and updates the cells of known ones. */
  take(rows: readonly SheetRow[]): void {
    for (const row of rows) {
      const known = this.#byId.get(row.id)
      if (known === undefined) {
        this.#byId.set(row.id, row)
        this.rows.push(row)
        continue
      }
      Object.assign(known, {
        sku: row.sku,
        title: row.title,
        title_locale: row.title_locale,
        picture: row.picture,
        stock: row.stock,
      })
      for (const [name, cell] of row.cells) known.cells.set(name, cell)
    }
    this.changed()
  }

  cell(id: number, column: string): Cell {
    const row = this.#byId.get(id)
    if (row === undefined) return EMPTY
    return stockCell(row.stock, column) ?? row.cells.get(column) ?? EMPTY
  }

  /** The owner's value, including unsaved input. */
  own(id: number, column: string): Own {
    const draft = this.drafts.get(keyOf(id, column))
    return draft === undefined ? this.cell(id, column).own : draft.value
  }

  /** The text that a cell shows. */
  shown(id: number, column: string): string {
    const own = this.own(id, column)
    return own === false ? '' : (own ?? this.cell(id, column).supplied ?? '')
  }

  /** Typed text as an owner's value: none if it is empty or equal to the suppliers' value. */
  asOwn(id: number, column: string, text: string): Own {
    const { supplied } = this.cell(id, column)
    const own = this.own(id, column)
    if (own === false && text === '') return false
    const plain = column === 'cost' || column.startsWith('price.') ? plainDecimal(text) : text
    return plain === '' || (own === null && plain === supplied) ? null : plain
  }

  /** Writes into cells, except read-only ones, as one undo step. @returns how many changed */
  write(cells: readonly { id: number; column: string; value: Own }[]): number {
    const changes = cells.flatMap(({ id, column, value }): Change[] => {
      const before = this.own(id, column)
      return before === value || this.#byId.get(id) === undefined || isReadOnly(column)
        ? []
        : [{ id, column, before, after: value }]
    })
    if (changes.length === 0) return 0
    this.#done.push(changes)
    this.#undone = []
    for (const { id, column, after } of changes) this.#set(id, column, after)
    this.changed()
    return changes.length
  }

  get canUndo(): boolean {
    return this.#done.length > 0
  }

  get canRedo(): boolean {
    return this.#undone.length > 0
  }

  /** @returns the cells that were changed back; saved ones among them are now unsaved changes */
  undo(): readonly Change[] {
    const changes = this.#done.pop()
    if (changes === undefined) return []
    this.#undone.push(changes)
    for (const { id, column, before } of changes) this.#set(id, column, before)
    this.changed()
    return changes
  }

  redo(): readonly Change[] {
    const changes = this.#undone.pop()
    if (changes === undefined) return []
    this.#done.push(changes)
    for (const { id, column, after } of changes) this.#set(id, column, after)
    this.changed()
    return changes
  }

  /** Restores kept input that still differs from the stored values. */
  restore(kept: ReadonlyMap<string, Draft>): void {
    for (const [key, draft] of kept) {
      const { id, column } = partsOf(key)
      if (this.#byId.has(id) && !this.drafts.has(key) && this.cell(id, column).own !== draft.value)
        this.drafts.set(key, draft)
    }
    this.changed()
  }

  /** Discards the unsaved input of some columns. */
  forget(columns: readonly string[]): void {
    for (const key of this.drafts.keys()) {
      if (!columns.includes(partsOf(key).column)) continue
      this.drafts.delete(key)
      this.faults.delete(key)
    }
    this.changed()
  }

  /** Lets the input of a cell replace the current value despite a conflict. */
  insist(id: number, column: string): void {
    const key = keyOf(id, column)
    const draft = this.drafts.get(key)
    if (draft === undefined) return
    this.drafts.set(key, { ...draft, ...this.#present(id, column) })
    this.faults.delete(key)
    this.changed()
  }

  /** Confirms a large change of a price for the next save. */
  confirmJump(id: number, column: string): void {
    const key = keyOf(id, column)
    const draft = this.drafts.get(key)
    if (draft === undefined) return
    this.drafts.set(key, { ...draft, isJumpRight: true })
    this.faults.delete(key)
    this.changed()
  }

  /** The number of prices that were not saved because they change too much. */
  get jumps(): number {
    return [...this.faults.values()].filter(({ kind }) => kind === 'jump').length
  }

  /** Confirms all of them for the next save. */
  confirmJumps(): void {
    for (const [key, { kind }] of this.faults) {
      const { id, column } = partsOf(key)
      if (kind === 'jump') this.confirmJump(id, column)
    }
  }

  /** Called when sent input is stored. Input that was typed into a cell since then is kept. */
  stored(sent: ReadonlyMap<string, Draft>): void {
    for (const [key, { value }] of sent) {
      const { id, column } = partsOf(key)
      this.#store(id, column, value)
    }
    for (const [key, draft] of sent) {
      this.faults.delete(key)
      const { id, column } = partsOf(key)
      const now = this.drafts.get(key)
      if (now === undefined) continue
      const present = this.#present(id, column)
      if (now.value === draft.value || now.value === present.expected) this.drafts.delete(key)
      else this.drafts.set(key, { ...now, ...present })
    }
    this.changed()
  }

  refused(faults: ReadonlyMap<string, CellFault>): void {
    for (const [key, fault] of faults) {
      const { id, column } = partsOf(key)
      const draft = this.drafts.get(key)
      // the same value is stored already, by somebody else or by a request whose answer was lost
      if (fault.kind === 'conflict' && draft?.value === this.cell(id, column).own) {
        this.drafts.delete(key)
        this.faults.delete(key)
      } else if (draft !== undefined) this.faults.set(key, fault)
    }
    this.changed()
  }

  #set(id: number, column: string, value: Own): void {
    const key = keyOf(id, column)
    const draft = this.drafts.get(key)
    this.faults.delete(key)
    if (value === this.cell(id, column).own) this.drafts.delete(key)
    // drops `isJumpRight`, because another value was confirmed
    else if (draft !== undefined) this.drafts.set(key, { value, expected: draft.expected, stock: draft.stock })
    else this.drafts.set(key, { value, ...this.#present(id, column) })
  }

  /** Applies a stored value, until the product is read again. */
  #store(id: number, column: string, own: Own): void {
    const row = this.#byId.get(id)
    if (row === undefined) return
    const text = own === false ? null : own
    if (column === 'quantity')
      row.stock = text === null ? null : { cost: row.stock?.cost ?? null, quantity: Number(text) }
    else if (column === 'cost') row.stock = row.stock === null ? null : { ...row.stock, cost: text }
    else row.cells.set(column, { own, supplied: row.cells.get(column)?.supplied ?? null })
  }

  #present(id: number, column: string): { expected: Own; stock: Stock | null } {
    return { expected: this.cell(id, column).own, stock: this.#byId.get(id)?.stock ?? null }
  }
}

/** A rectangle of cells, by row and column index. */
export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}

export function cellsIn(state: SheetState, columns: readonly GridColumn[], range: Range) {
  return state.rows
    .slice(range.top, range.bottom + 1)
    .flatMap(({ id }) => columns.slice(range.left, range.right + 1).map(({ name }) => ({ id, column: name })))
}
