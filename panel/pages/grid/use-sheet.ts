import { useEffect, useState } from 'react'
import { readPage } from '../../api/read-pages.ts'
import { call } from '../../api/client.ts'
import type { GridColumn } from './columns.ts'
import type { Wanted } from './search.ts'
import { SheetState, type Draft, type SheetRow } from './sheet-state.ts'

const PRODUCTS = 'GET /panel/api/accounts/{account_id}/products'
const CELLS = 'GET /panel/api/accounts/{account_id}/product-cells'
/** Products of one answer, and the most products of a grid. */
const READ_PRODUCTS = 100
export const ROWS_MAX = 5_000

const isStock = ({ kind }: GridColumn) => kind === 'quantity' || kind === 'cost'

/** Names of the columns that have cells of their own, unlike own stock. */
export const cellNames = (columns: readonly GridColumn[]) =>
  columns.filter((column) => !isStock(column)).map(({ name }) => name)

/** Reads products with the cells of these columns, in the order of the IDs. */
export async function readRows(
  accountId: number,
  ids: readonly number[],
  names: readonly string[],
  signal?: AbortSignal,
): Promise<SheetRow[]> {
  const { data } = await call(CELLS, {
    params: { account_id: accountId },
    query: { ids: [...ids], columns: names.join(',') },
    ...(signal === undefined ? {} : { signal }),
  })
  return data.map(({ cells, stock, ...row }) => ({
    ...row,
    stock: stock as SheetRow['stock'],
    cells: new Map(names.map((name, i) => [name, cells[i] ?? { own: null, supplied: null }])),
  }))
}

/** Reads some columns of the present rows again, after the service has written them. */
export async function rereadRows(accountId: number, state: SheetState, columns: readonly string[]): Promise<void> {
  const names = columns.filter((name) => name !== 'quantity' && name !== 'cost')
  const known = state.rows.map(({ id }) => id)
  for (let at = 0; at < known.length; at += READ_PRODUCTS)
    state.take(await readRows(accountId, known.slice(at, at + READ_PRODUCTS), names))
}

export interface Loading {
  isDone: boolean
  /** How many products match; null: unknown yet, or not counted. */
  total: number | null
  /** More products match than a grid can have. */
  isCut: boolean
  error: unknown
}

const BEGUN: Loading = { isDone: false, total: null, isCut: false, error: null }

/** Reads the products of a grid part by part, and the cells of further columns when those are shown. */
export function useSheet(
  accountId: number,
  wanted: Wanted,
  columns: readonly GridColumn[],
  isReady: boolean,
  kept: () => Map<string, Draft>,
): { state: SheetState; loading: Loading; retry: () => void } {
  const [state] = useState(() => new SheetState())
  const [loading, setLoading] = useState(BEGUN)
  const [attempt, setAttempt] = useState(0)
  const names = cellNames(columns).join(',')
  useEffect(() => {
    if (!isReady) return undefined
    const stop = new AbortController()
    const drafts = kept()
    // a column with kept input is read even if it is not shown
    const asked = [...new Set([...names.split(','), ...draftedNames(drafts)])].filter((name) => name !== '')
    const run = async () => {
      setLoading((before) => ({ ...before, error: null, isDone: false }))
      // present rows get the columns that they lack
      const known = state.rows.map(({ id }) => id)
      for (let at = 0; at < known.length; at += READ_PRODUCTS) {
        const part = known.slice(at, at + READ_PRODUCTS)
        const lacking = asked.filter((name) => part.some((id) => state.row(id)?.cells.has(name) !== true))
        if (lacking.length > 0) state.take(await readRows(accountId, part, lacking, stop.signal))
      }
      for await (const { ids, total, isCut } of idsOf(accountId, wanted, stop.signal)) {
        const fresh = ids.filter((id) => state.row(id) === undefined)
        if (fresh.length > 0) {
          state.take(await readRows(accountId, fresh, asked, stop.signal))
          state.restore(drafts)
        }
        setLoading((before) => ({ ...before, total, isCut }))
      }
      setLoading((before) => ({ ...before, isDone: true }))
    }
    run().catch((error: unknown) => {
      if (!stop.signal.aborted) setLoading((before) => ({ ...before, error }))
    })
    return () => stop.abort()
    // `kept` is read only once, and the products are fixed for a page
  }, [state, accountId, wanted, names, isReady, attempt, kept])
  return { state, loading, retry: () => setAttempt((before) => before + 1) }
}

const draftedNames = (drafts: ReadonlyMap<string, Draft>) =>
  [...new Set([...drafts.keys()].map((key) => key.slice(key.indexOf(' ') + 1)))].filter(
    (name) => name !== 'quantity' && name !== 'cost',
  )

/** The products of a grid in their order, part by part. */
async function* idsOf(accountId: number, wanted: Wanted, signal: AbortSignal) {
  if (wanted.kind === 'ids') {
    const ids = wanted.ids.slice(0, ROWS_MAX)
    for (let at = 0; at < ids.length; at += READ_PRODUCTS)
      yield {
        ids: ids.slice(at, at + READ_PRODUCTS),
        total: wanted.ids.length,
        isCut: wanted.ids.length > ROWS_MAX,
      }
    return
  }
  let after: string | null = null
  let count = 0
  do {
    const request = { params: { account_id: accountId }, query: { ...wanted.query, per_page: READ_PRODUCTS } }
    const page: Awaited<ReturnType<typeof readPage<typeof PRODUCTS>>> = await readPage(
      PRODUCTS,
      request,
      after === null ? {} : { after },
      signal,
    )
    const ids = page.data.map(({ id }) => id).filter((id) => !wanted.except.has(id))
    after = page.meta.next_after
    const left = ROWS_MAX - count
    count += Math.min(ids.length, left)
    const total = page.meta.total === null ? null : Math.max(0, page.meta.total - wanted.except.size)
    yield { ids: ids.slice(0, left), total, isCut: ids.length > left || (count >= ROWS_MAX && after !== null) }
  } while (after !== null && count < ROWS_MAX)
}
