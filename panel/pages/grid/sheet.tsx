import { defaultRangeExtractor, useVirtualizer, type Range as VirtualRange } from '@tanstack/react-virtual'
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { useTranslation } from 'react-i18next'
import { ProductThumbnail } from '../../resources/product-line.tsx'
import { ProductName, useProductWords } from '../../resources/product-name.tsx'
import { Cell } from './cell.tsx'
import type { GridColumn } from './columns.ts'
import { isLetter, isTyping, movedBy, within, type Place } from './keys.ts'
import classes from './grid.module.css'
import type { Range, SheetState } from './sheet-state.ts'

const ROW_PX = 34
const NAME_PX = 276
const NAME_NARROW_PX = 132
const OVERSCAN = 6

/** What the page does with cells; the sheet moves, selects and edits. */
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

/** Cells that are chosen: from one corner to the one that has the focus. */
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

/** Rows and columns as in a spreadsheet; only visible cells, and the one with the focus, are in the document. */
export function Sheet({
  state,
  columns,
  total,
  chosen,
  choose,
  actions,
}: {
  state: SheetState
  columns: readonly GridColumn[]
  /** How many rows there will be. */
  total: number
  chosen: Chosen
  choose: (chosen: Chosen) => void
  actions: SheetActions
}) {
  const { t } = useTranslation('grid')
  const nameOf = useProductWords()
  const frame = useRef<HTMLDivElement>(null)
  const [editing, setEditing] = useState<{ text: string } | null>(null)
  const isNarrow = window.innerWidth < 600
  const nameWidth = isNarrow ? NAME_NARROW_PX : NAME_PX
  const { rows } = state
  const last: Place = { row: rows.length - 1, column: columns.length - 1 }
  const at = within(chosen.at, last)
  const range = rangeOf({ from: within(chosen.from, last), at })
  const withFocus = (index: number) => (seen: VirtualRange) =>
    [...new Set([...defaultRangeExtractor(seen), index])].filter((entry) => entry >= 0).sort((a, b) => a - b)
  const down = useVirtualizer({
    count: rows.length,
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing !== null) return
    const isCommand = event.ctrlKey || event.metaKey
    const place = movedBy(event, at, last, Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / ROW_PX) - 2))
    if (place !== null) go(place, event.shiftKey)
    else if (event.key === 'Tab') {
      // beyond the last cell of a row it leaves the grid, as everywhere
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
      // the letter that begins it is already there
      if (!isLetter(event.key)) return
    } else return
    event.preventDefault()
  }
  const onClipboard = (event: ClipboardEvent, work: (text: DataTransfer) => void) => {
    if (editing !== null) return
    event.preventDefault()
    work(event.clipboardData)
  }
  const placeUnder = (event: PointerEvent): Place | null => {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-row]')
    return cell === null || cell === undefined || cell.dataset['column'] === undefined
      ? null
      : { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) }
  }
  const [isDragging, setDragging] = useState(false)
  const width = nameWidth + columns.reduce((sum, column) => sum + column.width, 0)
  return (
    <div
      ref={frame}
      className={classes.frame}
      role="grid"
      aria-label={t('title')}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      onKeyDown={onKeyDown}
      onFocus={() => (hadFocus.current = true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) hadFocus.current = event.relatedTarget === null
      }}
      onCopy={(event) => onClipboard(event, (data) => data.setData('text/plain', actions.copy(range)))}
      onCut={(event) =>
        onClipboard(event, (data) => {
          data.setData('text/plain', actions.copy(range))
          actions.reset(range)
        })
      }
      onPaste={(event) => onClipboard(event, (data) => actions.paste(range, data.getData('text/plain')))}
      onPointerDown={(event) => {
        const place = placeUnder(event)
        if (editing !== null || place === null || event.button !== 0) return
        go(place, event.shiftKey)
        // a finger scrolls
        if (event.pointerType !== 'touch') setDragging(true)
      }}
      onPointerMove={(event) => {
        const place = isDragging ? placeUnder(event) : null
        if (place !== null && (place.row !== at.row || place.column !== at.column)) go(place, true)
      }}
      onPointerUp={() => setDragging(false)}
      onPointerLeave={() => setDragging(false)}
      onDoubleClick={(event) => {
        if (editing === null && (event.target as Element).closest('[data-column]') !== null) edit()
      }}
    >
      <div role="rowgroup" className={classes.head} style={{ width, height: ROW_PX }}>
        <div role="row" aria-rowindex={1} className={classes.headRow}>
          <div role="columnheader" aria-colindex={1} className={classes.corner} style={{ width: nameWidth }}>
            {t('product')}
          </div>
          {across.getVirtualItems().map(({ index, start, size }) => (
            <div
              key={columns[index]?.name}
              role="columnheader"
              aria-colindex={index + 2}
              className={`${classes.heading} ${columns[index]?.isNumber === true ? classes.number : ''}`}
              style={{ left: start, width: size }}
              title={columns[index]?.title}
            >
              {columns[index]?.title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ width, height: rows.length * ROW_PX }}>
        {down.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <div
              key={row.id}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ top: start, width, height: ROW_PX }}
            >
              <div role="rowheader" aria-colindex={1} className={classes.name} style={{ width: nameWidth }}>
                {isNarrow ? null : <ProductThumbnail picture={row.picture} />}
                <span dir="auto" title={nameOf(row, row.id)}>
                  <ProductName of={row} id={row.id} />
                </span>
                <small>{row.sku ?? `#${row.id}`}</small>
              </div>
              {across.getVirtualItems().map((item) => {
                const column = columns[item.index]
                if (column === undefined) return null
                const isActive = index === at.row && item.index === at.column
                return (
                  <Cell
                    key={column.name}
                    state={state}
                    id={row.id}
                    column={column}
                    place={{ row: index, column: item.index }}
                    left={item.start}
                    isActive={isActive}
                    isChosen={
                      index >= range.top &&
                      index <= range.bottom &&
                      item.index >= range.left &&
                      item.index <= range.right
                    }
                    editing={isActive ? editing : null}
                    commit={commit}
                    cancel={() => {
                      hadFocus.current = true
                      setEditing(null)
                    }}
                  />
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
