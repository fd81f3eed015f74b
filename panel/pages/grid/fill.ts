import { call, type Request } from '../../api/client.ts'
import type { GridColumn } from './columns.ts'
import { filterOf, type Wanted } from './search.ts'
import type { Own, SheetState } from './sheet-state.ts'

// Writes one value into every row of the list: in the grid if it has read all rows, otherwise by an operation of the service.

const ROUTE = 'POST /panel/api/accounts/{account_id}/products/bulk'
type Body = NonNullable<Request<typeof ROUTE>['body']>
type Change = Omit<Body, 'selection'>

/** A column and its new value; null restores the suppliers' value, false hides an attribute. */
export interface Filling {
  column: GridColumn
  value: string | false | null
}

/** The values of a row in some columns, to be written into the other rows. */
export const fillingsOf = (state: SheetState, id: number, columns: readonly GridColumn[]): Filling[] =>
  columns.map((column) => ({
    column,
    value: state.own(id, column.name) === false ? false : state.shown(id, column.name),
  }))

/** Writes the values into all rows that were read, as one undo step. @returns how many cells changed */
export function fillRows(state: SheetState, fillings: readonly Filling[]): number {
  return state.write(
    fillings.flatMap(({ column: { name }, value }) =>
      state.rows.map(({ id }) => {
        const own: Own = typeof value === 'string' ? state.asOwn(id, name, value) : value
        return { id, column: name, value: own }
      }),
    ),
  )
}

/**
 * The bulk changes that write these values: one per column, but own stock and its cost in one.
 * @returns null if the service has no such change: a cost of own stock without a quantity, or a price of a price list
 */
export function changesOf(fillings: readonly Filling[]): Change[] | null {
  const quantity = fillings.find(({ column }) => column.kind === 'quantity')
  const cost = fillings.find(({ column }) => column.kind === 'cost')
  if (fillings.some(({ column }) => column.kind === 'price')) return null
  if (cost !== undefined && quantity === undefined) return null
  const others = fillings.filter(({ column: { kind } }) => kind !== 'quantity' && kind !== 'cost').map(changeOf)
  if (quantity === undefined) return others
  const pieces = textOrNull(quantity.value)
  const own = cost === undefined || pieces === null ? {} : { cost: textOrNull(cost.value) }
  return [...others, { stock: { quantity: pieces, ...own } }]
}

const textOrNull = (value: Filling['value']) => (value === '' || value === false ? null : value)

function changeOf({ column: { name, kind }, value }: Filling): Change {
  const at = name.indexOf('.')
  const field = at < 0 ? name : name.slice(0, at)
  const place = at < 0 ? null : decodeURIComponent(name.slice(at + 1))
  if (kind === 'excluded') return { exclusion: { store: place, reason: textOrNull(value) } }
  const where = place === null ? {} : field === 'attribute' ? { key: place } : { locale: place }
  return { override: { field, ...where, value: value === '' ? null : value } }
}

/** Starts the changes for all products of the grid. @returns the operations' IDs @throws Problem */
export async function beginChanges(accountId: number, wanted: Wanted, changes: readonly Change[]): Promise<number[]> {
  const selection = selectionOf(wanted)
  const begun: number[] = []
  for (const change of changes) {
    const answer = await call(ROUTE, { params: { account_id: accountId }, body: { selection, ...change } })
    begun.push((answer as { data: { id: number } }).data.id)
  }
  return begun
}

function selectionOf(wanted: Wanted): Body['selection'] {
  if (wanted.kind === 'ids') return { ids: [...wanted.ids] }
  return { filter: filterOf(wanted.query) as NonNullable<Body['selection']['filter']>, except: [...wanted.except] }
}
