import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { ListProps, ListSelection } from './list.tsx'

/**
 * Up to this many rows are all in the document, so that the browser's search finds them and nothing has to be measured.
 */
const VIRTUAL_FROM = 120
const OVERSCAN = 12

/** Which rows are in the document: all of a short list, only the visible ones of a long list. */
export function useRowsInSight(
  body: RefObject<HTMLTableSectionElement | null>,
  count: number,
  height: number,
  reachEnd: (() => void) | undefined,
) {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(body.current === null ? 0 : body.current.getBoundingClientRect().top + scrollY), [body])
  const isVirtual = count >= VIRTUAL_FROM
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: useCallback(() => height, [height]),
    overscan: OVERSCAN,
    scrollMargin: top,
    enabled: isVirtual,
  })
  const items = isVirtual ? virtualizer.getVirtualItems() : null
  const first = items?.[0]?.index ?? 0
  const last = items === null ? count - 1 : (items.at(-1)?.index ?? -1)
  const isNearEnd = count > 0 && last >= count - 1 - OVERSCAN
  useEffect(() => {
    if (isVirtual && isNearEnd) reachEnd?.()
  }, [isVirtual, isNearEnd, reachEnd])
  return {
    first,
    last,
    scrollTo: (index: number) => {
      if (isVirtual) virtualizer.scrollToIndex(index)
    },
  }
}

/** Chooses or unchooses a row, or with `isRange` all rows from the one that was chosen last. */
export function useChoosing<T>(selection: ListSelection<T> | undefined, rows: readonly T[]) {
  const anchor = useRef<number | null>(null)
  return (index: number, isRange: boolean) => {
    const row = rows[index]
    if (selection === undefined || row === undefined) return
    const isChosen = !selection.isChosen(row)
    const from = isRange && anchor.current !== null ? Math.min(anchor.current, index) : index
    const upTo = isRange && anchor.current !== null ? Math.max(anchor.current, index) : index
    anchor.current = index
    selection.choose(rows.slice(from, upTo + 1), isChosen)
  }
}

/** The row that Tab focuses, and the keys of a row. */
export function useRowKeys<T>(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: readonly T[],
  { first, last, scrollTo }: ReturnType<typeof useRowsInSight>,
  { open, choose }: { open: ListProps<T>['open']; choose: ((index: number, isRange: boolean) => void) | undefined },
) {
  const [current, setCurrent] = useState(0)
  const focusRow = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.length - 1)
    setCurrent(next)
    scrollTo(next)
    // at once if the row is in the document, so that a key within the same frame already applies to it
    const focus = () => {
      const row = body.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)
      row?.focus()
      return row !== null && row !== undefined
    }
    if (!focus()) requestAnimationFrame(focus)
  }
  const press = (event: KeyboardEvent<HTMLTableRowElement>, index: number) => {
    // keys on a button within the row belong to the button
    if (event.target !== event.currentTarget) return
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: index + 15,
      PageUp: index - 15,
    }
    const to = moves[event.key]
    const row = rows[index]
    if (to !== undefined) focusRow(to)
    else if (event.key === 'Enter' && open !== undefined && row !== undefined) open(row)
    else if (event.key === ' ' && choose !== undefined) choose(index, event.shiftKey)
    else return
    event.preventDefault()
  }
  return { active: Math.min(Math.max(current, first), Math.max(last, first)), setCurrent, press }
}
