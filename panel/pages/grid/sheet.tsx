import { useState, type MouseEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ProductThumbnail } from '../../resources/product-line.tsx'
import { ProductName, useProductWords } from '../../resources/product-name.tsx'
import { Cell } from './cell.tsx'
import classes from './grid.module.css'
import type { Place } from './keys.ts'
import type { SheetRow } from './sheet-state.ts'
import { ROW_PX, useCells, type SheetProps } from './use-cells.ts'

const NAME_PX = 276
const NAME_NARROW_PX = 132

type Cells = ReturnType<typeof useCells>

/** Rows and columns as in a spreadsheet. Only visible cells, and the focused one, are in the document. */
export function Sheet({
  total,
  ...props
}: SheetProps & {
  /** The number of rows when all are read. */
  total: number
}) {
  const { t } = useTranslation('grid')
  const nameOf = useProductWords()
  const { state, columns } = props
  const { rows } = state
  const isNarrow = window.innerWidth < 600
  const nameWidth = isNarrow ? NAME_NARROW_PX : NAME_PX
  const cells = useCells(props, nameWidth)
  const pointerListeners = usePointer(cells)
  const width = nameWidth + columns.reduce((sum, column) => sum + column.width, 0)
  return (
    <div
      ref={cells.frame}
      className={classes.frame}
      role="grid"
      aria-label={t('title')}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      {...cells.listeners}
      {...pointerListeners}
    >
      <div role="rowgroup" className={classes.head} style={{ width, height: ROW_PX }}>
        <div role="row" aria-rowindex={1} className={classes.headRow}>
          <div role="columnheader" aria-colindex={1} className={classes.corner} style={{ width: nameWidth }}>
            {t('product')}
          </div>
          {cells.columnsInSight.map(({ index, start, size }) => (
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
        {cells.rowsInSight.map(({ index, start }) => {
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
                {/* the column is too narrow for both */}
                {isNarrow ? null : <small>{row.sku ?? `#${row.id}`}</small>}
              </div>
              <RowCells state={state} columns={columns} cells={cells} row={row} index={index} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** The visible cells of a row. */
function RowCells({
  state,
  columns,
  cells: { at, range, columnsInSight, editing, commit, cancel },
  row,
  index,
}: Pick<SheetProps, 'state' | 'columns'> & { cells: Cells; row: SheetRow; index: number }) {
  return columnsInSight.map((item) => {
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
        isChosen={index >= range.top && index <= range.bottom && item.index >= range.left && item.index <= range.right}
        editing={isActive ? editing : null}
        commit={commit}
        cancel={cancel}
      />
    )
  })
}

const placeUnder = (event: PointerEvent): Place | null => {
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-row]')
  return cell === null || cell === undefined || cell.dataset['column'] === undefined
    ? null
    : { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) }
}

/** Cells are chosen by dragging, and edited by a double click. */
function usePointer({ at, go, edit, editing }: Cells) {
  const [isDragging, setDragging] = useState(false)
  return {
    onPointerDown(event: PointerEvent) {
      const place = placeUnder(event)
      if (editing !== null || place === null || event.button !== 0) return
      go(place, event.shiftKey)
      // dragging a finger scrolls instead
      if (event.pointerType !== 'touch') setDragging(true)
    },
    onPointerMove(event: PointerEvent) {
      const place = isDragging ? placeUnder(event) : null
      if (place !== null && (place.row !== at.row || place.column !== at.column)) go(place, true)
    },
    onPointerUp: () => setDragging(false),
    onPointerLeave: () => setDragging(false),
    onDoubleClick(event: MouseEvent) {
      if (editing === null && (event.target as Element).closest('[data-column]') !== null) edit()
    },
  }
}
