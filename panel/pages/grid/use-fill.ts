import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import type { GridColumn } from './columns.ts'
import { beginChanges, changesOf, fillingsOf, fillRows, type Filling } from './fill.ts'
import { filterOf, type Wanted } from './search.ts'
import type { Range, SheetState } from './sheet-state.ts'
import type { SheetActions } from './use-cells.ts'
import { ROWS_MAX, type Loading } from './use-sheet.ts'

/** A question before every row of the list is written. */
export interface AskedFill {
  kind: 'fill' | 'reset'
  range: Range
  fillings: readonly Filling[]
}

/** Who writes the values: `grid`, if it holds all rows or soon will; `service`; null: unknown yet. */
export type Filler = 'grid' | 'service' | null

/**
 * Filling down and resetting. Several marked rows are written at once. If one row is marked, or the marked ones end at the
 * last row that was read, the whole list may be meant, so a question is asked.
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
  // counting took too long, so there are many
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
    // more rows exist than were counted, so the question is asked again instead of leaving them out silently
    if (loading.isCut) setAsked(pending)
    else apply(pending.fillings)
    // runs once, when all rows have been read
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
    /** Writes only the marked rows. */
    doMarked: () => {
      if (asked === null) return
      if (asked.kind === 'fill') actions.fillDown(asked.range)
      else actions.reset(asked.range)
      setAsked(null)
    },
    /** Writes every row. @throws Problem */
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
      // the operation overwrites unsaved input in these columns
      state.forget(names)
      setBegun({ operationIds, columns: names })
    },
  }
}
export type Fill = ReturnType<typeof useFill>
