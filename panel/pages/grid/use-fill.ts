import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import type { GridColumn } from './columns.ts'
import { beginChanges, changesOf, fillingsOf, fillRows, type Filling } from './fill.ts'
import { filterOf, type Wanted } from './search.ts'
import type { Range, SheetState } from './sheet-state.ts'
import type { SheetActions } from './use-cells.ts'
import { ROWS_MAX, type Loading } from './use-sheet.ts'

/** What is asked before every row of the list is written. */
export interface AskedFill {
  kind: 'fill' | 'reset'
  range: Range
  fillings: readonly Filling[]
}

/** What fills the values: the grid, which holds all rows or soon will; the service; null: not known yet. */
export type Filler = 'grid' | 'service' | null

/**
 * Filling down and resetting. Marked rows are done at once; where one row is marked, or the marked ones end where reading has
 * got to, the whole list may be meant, and it is asked.
 */
export function useFill(
  accountId: number,
  wanted: Wanted,
  state: SheetState,
  columns: readonly GridColumn[],
  loading: Loading,
  actions: SheetActions,
  say: (text: string) => void,
) {
  const { t } = useTranslation('grid')
  const [asked, setAsked] = useState<AskedFill | null>(null)
  const [pending, setPending] = useState<AskedFill | null>(null)
  const [begun, setBegun] = useState<{ operationIds: readonly number[]; columns: readonly string[] } | null>(null)
  const isWhole = loading.isDone && !loading.isCut
  const isCounting = asked !== null && !isWhole && loading.total === null && wanted.kind === 'filter'
  const counted = useRead(
    'GET /panel/api/accounts/{account_id}/products/count',
    { params: { account_id: accountId }, query: wanted.kind === 'filter' ? filterOf(wanted.query) : {} },
    { isEnabled: isCounting },
  )
  const count = counted.data?.data.count
  const total = isWhole
    ? state.rows.length
    : (loading.total ??
      (count === undefined || count === null || wanted.kind !== 'filter' ? null : count - wanted.except.size))
  // they could not be counted in time: there are many
  const isUncounted = isCounting && count === null
  const filler: Filler =
    isWhole || (total !== null && total <= ROWS_MAX && !loading.isCut)
      ? 'grid'
      : loading.isCut || total !== null || isUncounted
        ? 'service'
        : null
  const apply = (fillings: readonly Filling[]) => say(t('said.filled', { count: fillRows(state, fillings) }))
  useEffect(() => {
    if (pending === null || !loading.isDone) return
    setPending(null)
    // more have come than were counted: they are not left out without a word
    if (loading.isCut) setAsked(pending)
    else apply(pending.fillings)
    // once, when all rows have come
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [pending, loading.isDone])
  const ask = (kind: AskedFill['kind'], range: Range) => {
    const first = state.rows[range.top]
    if (first === undefined) return
    const chosen = columns.slice(range.left, range.right + 1).filter(({ isReadOnly }) => !isReadOnly)
    if (chosen.length === 0) {
      say(t('said.readOnly'))
      return
    }
    const fillings =
      kind === 'reset' ? chosen.map((column) => ({ column, value: null })) : fillingsOf(state, first.id, chosen)
    setAsked({ kind, range, fillings })
  }
  const endsHere = (range: Range) => !isWhole && range.bottom >= state.rows.length - 1 && range.bottom > range.top
  return {
    asked,
    total,
    filler,
    pending: pending !== null,
    begun,
    close: () => setAsked(null),
    cancel: () => setPending(null),
    forget: () => setBegun(null),
    fillDown: (range: Range) =>
      range.top === range.bottom || endsHere(range) ? ask('fill', range) : actions.fillDown(range),
    reset: (range: Range) => (endsHere(range) ? ask('reset', range) : actions.reset(range)),
    /** Only what is marked. */
    doMarked: () => {
      if (asked === null) return
      if (asked.kind === 'fill') actions.fillDown(asked.range)
      else actions.reset(asked.range)
      setAsked(null)
    },
    /** Every row. @throws Problem */
    doAll: async () => {
      if (asked === null) return
      const { fillings } = asked
      if (filler === 'grid') {
        if (isWhole) apply(fillings)
        else setPending(asked)
        return
      }
      const operationIds = await beginChanges(accountId, wanted, changesOf(fillings) ?? [])
      const names = fillings.map(({ column }) => column.name)
      // what was typed there and not saved is written over
      state.forget(names)
      setBegun({ operationIds, columns: names })
    },
  }
}
export type Fill = ReturnType<typeof useFill>
