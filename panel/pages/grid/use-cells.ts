import { defaultRangeExtractor, useVirtualizer, type Range as VirtualRange } from '@tanstack/react-virtual'
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
} from 'react'
import type { GridColumn } from './columns.ts'
import { isLetter, isTyping, movedBy, within, type Place } from './keys.ts'
import type { Range, SheetState } from './sheet-state.ts'

export const ROW_PX = 34
const OVERSCAN = 6

/** Actions of the page on cells; moving, selecting and editing are handled here. */
export interface SheetActions {
  write: (id: number, column: string, text: string) => void
  reset: (range: Range) => void
  fillDown: (range: Range) => void
  copy: (range: Range) => string
  paste: (range: Range, text: string) => void
  undo: () => void
  redo: () => void
  save: () => void
}

/** Chosen cells: from one corner to the focused cell. */
export interface Chosen {
  from: Place
  at: Place
}

export function rangeOf({ from, at }: Chosen): Range {
  return {
    top: Math.min(from.row, at.row),
    bottom: Math.max(from.row, at.row),
    left: Math.min(from.column, at.column),
    right: Math.max(from.column, at.column),
  }
}

export interface SheetProps {
  state: SheetState
  columns: readonly GridColumn[]
  chosen: Chosen
  choose: (chosen: Chosen) => void
  actions: SheetActions
}

/** The visible rows and columns, which always include those of the focused cell. */
function useSight({ state, columns }: Pick<SheetProps, 'state' | 'columns'>, at: Place, nameWidth: number) {
  const frame = useRef<HTMLDivElement>(null)
  const withFocus = (index: number) => (seen: VirtualRange) =>
    [...new Set([...defaultRangeExtractor(seen), index])].filter((entry) => entry >= 0).sort((a, b) => a - b)
  const down = useVirtualizer({
    count: state.rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: ROW_PX,
    scrollPaddingStart: ROW_PX,
    rangeExtractor: withFocus(at.row),
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => frame.current,
    estimateSize: useCallback((index: number) => columns[index]?.width ?? 0, [columns]),
    overscan: 2,
    scrollMargin: nameWidth,
    scrollPaddingStart: nameWidth,
    rangeExtractor: withFocus(at.column),
  })
  useLayoutEffect(() => across.measure(), [across, columns])
  return { frame, down, across }
}

/** The cells of a sheet: the visible, chosen and edited ones, and the effect of keys and the clipboard. */
export function useCells({ state, columns, chosen, choose, actions }: SheetProps, nameWidth: number) {
  const { rows } = state
  const last: Place = { row: rows.length - 1, column: columns.length - 1 }
  const at = within(chosen.at, last)
  const range = rangeOf({ from: within(chosen.from, last), at })
  const { frame, down, across } = useSight({ state, columns }, at, nameWidth)
  const [editing, setEditing] = useState<{ text: string } | null>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (!hadFocus.current || editing !== null) return
    const cell = frame.current?.querySelector<HTMLElement>(`[data-row="${at.row}"][data-column="${at.column}"]`)
    if (cell !== null && cell !== document.activeElement) cell?.focus({ preventScroll: true })
  })
  const go = (to: Place, isExtended = false) => {
    const place = within(to, last)
    hadFocus.current = true
    choose({ from: isExtended ? chosen.from : place, at: place })
    down.scrollToIndex(place.row)
    across.scrollToIndex(place.column)
  }
  const cellAt = (place: Place) => {
    const [row, column] = [rows[place.row], columns[place.column]]
    return row === undefined || column === undefined ? null : { id: row.id, column: column.name }
  }
  const edit = (text?: string) => {
    const cell = cellAt(at)
    if (cell === null || columns[at.column]?.isReadOnly === true) return
    down.scrollToIndex(at.row)
    setEditing({ text: text ?? state.shown(cell.id, cell.column) })
  }
  const commit = (text: string, move: Partial<Place>) => {
    const cell = cellAt(at)
    setEditing(null)
    if (cell !== null) actions.write(cell.id, cell.column, text)
    hadFocus.current = true
    if (move.row !== undefined || move.column !== undefined)
      go({ row: at.row + (move.row ?? 0), column: at.column + (move.column ?? 0) })
  }
  const cancel = () => {
    hadFocus.current = true
    setEditing(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing !== null) return
    const isCommand = event.ctrlKey || event.metaKey
    const place = movedBy(event, at, last, Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / ROW_PX) - 2))
    if (place !== null) go(place, event.shiftKey)
    else if (event.key === 'Tab') {
      // beyond the last cell of a row, Tab leaves the grid, as elsewhere
      const column = at.column + (event.shiftKey ? -1 : 1)
      if (column < 0 || column > last.column) return
      go({ row: at.row, column })
    } else if (event.key === 'Enter' || event.key === 'F2') edit()
    else if (event.key === 'Delete' || event.key === 'Backspace') actions.reset(range)
    else if (event.key === 'Escape') choose({ from: at, at })
    else if (isCommand && event.key === 'a') choose({ from: { row: 0, column: 0 }, at: last })
    else if (isCommand && event.key === 'd') actions.fillDown(range)
    else if (isCommand && event.key === 's') actions.save()
    else if (isCommand && event.key.toLowerCase() === 'z') {
      if (event.shiftKey) actions.redo()
      else actions.undo()
    } else if (isCommand && event.key === 'y') actions.redo()
    else if (isTyping(event)) {
      edit(event.key === 'Dead' || event.key === 'Process' ? '' : event.key)
      // the first letter is inserted by the key itself
      if (!isLetter(event.key)) return
    } else return
    event.preventDefault()
  }
  const onClipboard = (event: ClipboardEvent, work: (text: DataTransfer) => void) => {
    if (editing !== null) return
    event.preventDefault()
    work(event.clipboardData)
  }
  return {
    frame,
    rowsInSight: down.getVirtualItems(),
    columnsInSight: across.getVirtualItems(),
    at,
    range,
    go,
    editing,
    edit,
    commit,
    cancel,
    /** Event listeners of the frame around the cells. */
    listeners: {
      onKeyDown,
      onFocus: () => {
        hadFocus.current = true
      },
      onBlur: (event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) hadFocus.current = event.relatedTarget === null
      },
      onCopy: (event: ClipboardEvent) => onClipboard(event, (data) => data.setData('text/plain', actions.copy(range))),
      onCut: (event: ClipboardEvent) =>
        onClipboard(event, (data) => {
          data.setData('text/plain', actions.copy(range))
          actions.reset(range)
        }),
      onPaste: (event: ClipboardEvent) =>
        onClipboard(event, (data) => actions.paste(range, data.getData('text/plain'))),
    },
  }
}
