import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ArrowDownIcon, ArrowUpIcon } from '../design/icons.tsx'
import { useChoosing, useRowKeys, useRowsInSight } from './list-rows.ts'
import classes from './list.module.css'
import { useIsPhone } from './phone.ts'

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
})
const ROW_PX = 36
const PHONE_ROW_PX = 56
const THREE_LINES_PX = 76
/** A column of a list. */
export interface Column<T> {
  id: string
  title: string
  cell: (row: T) => ReactNode
  /** If set, the column can be sorted by this value. */
  sortBy?: (row: T) => string | number
  /** If set, the service sorts by this name; requires the list's `order` and `reorder`. */
  sortKey?: string
  /** CSS width; columns without one share the remaining width. */
  width?: string
  /** Right-aligned, with figures of equal width. */
  isNumber?: boolean
  /** Whether the column is shown for these rows, for example only if its values differ. By default it always is. */
  isShownFor?: (rows: readonly T[]) => boolean
  /** Hidden on a phone, where `phoneLine` may show it. */
  isWide?: boolean
}

export interface ListOrder {
  key: string
  isDescending: boolean
}

/** The chosen rows. Space or a click on the box chooses a row; with Shift all rows from the one chosen last. */
export interface ListSelection<T> {
  isChosen: (row: T) => boolean
  choose: (rows: readonly T[], isChosen: boolean) => void
  /** If set, the heading has a box as well. */
  all?: {
    /** Whether all shown rows are chosen; null: some of them. */
    isChosen: boolean | null
    choose: (isChosen: boolean) => void
  }
  /** The label of a row's box. */
  nameOf: (row: T) => string
}

export interface ListProps<T> {
  /** The name of the list for screen readers. */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  /** If set, Enter or a click opens the row. */
  open?: (row: T) => void
  /** The key of the row that is open beside the list. */
  openKey?: string | number | null
  /** The second line of a row on a phone. */
  phoneLine?: (row: T) => ReactNode
  /** The first column itself has two lines, so that `phoneLine` is the third. */
  isTwoLined?: boolean
  /** Shown if there are no rows. */
  empty: ReactNode
  /** The total number of rows, if not all have been read. */
  total?: number
  /** The order in which the service has sorted the rows. */
  order?: ListOrder | null
  reorder?: (key: string) => void
  selection?: ListSelection<T>
  /** Called when the last rows become visible. */
  reachEnd?: () => void
}

/**
 * A dense list with rows of 36 px. A click on a heading sorts it; of a long list only visible rows are in the document.
 * Keys: arrows, Home and End move, Enter opens, Space chooses.
 */
export function List<T>(props: ListProps<T>) {
  const {
    label,
    columns,
    rows,
    keyOf,
    open,
    openKey,
    phoneLine,
    isTwoLined = false,
    empty,
    total,
    selection,
    reachEnd,
  } = props
  const isPhone = useIsPhone()
  const shown = useMemo(
    () =>
      columns.filter(
        ({ isWide, isShownFor }) =>
          !(isPhone && isWide === true) && (rows.length === 0 || (isShownFor?.(rows) ?? true)),
      ),
    [columns, isPhone, rows],
  )
  const table = useSorting(shown, rows)
  const { rows: ordered } = table.getRowModel()
  const sorted = useMemo(() => ordered.map(({ original }) => original.row), [ordered])
  const body = useRef<HTMLTableSectionElement>(null)
  const height = !isPhone || phoneLine === undefined ? ROW_PX : isTwoLined ? THREE_LINES_PX : PHONE_ROW_PX
  const inSight = useRowsInSight(body, sorted.length, height, reachEnd)
  const toggle = useChoosing(selection, sorted)
  const keys = useRowKeys(body, sorted, inSight, { open, choose: selection === undefined ? undefined : toggle })
  if (rows.length === 0) return <>{empty}</>
  const { first, last } = inSight
  const before = first * height
  const after = (sorted.length - 1 - last) * height
  // the column that names a row: the first one with a heading, because a column of boxes has none
  const named = Math.max(
    shown.findIndex(({ title }) => title !== ''),
    0,
  )
  return (
    <div className={classes.frame}>
      <table className={classes.list} aria-label={label} aria-rowcount={(total ?? sorted.length) + 1}>
        <colgroup>
          {selection === undefined ? null : <col className={classes.boxColumn} />}
          {shown.map((column) => (
            <col
              key={column.id}
              style={column.width === undefined || (isPhone && column.title !== '') ? {} : { width: column.width }}
            />
          ))}
        </colgroup>
        <Head {...props} shown={shown} named={named} table={table} />
        <tbody ref={body}>
          {before > 0 ? <tr aria-hidden="true" style={{ height: before }} /> : null}
          {sorted.slice(first, last + 1).map((row, i) => {
            const index = first + i
            const key = keyOf(row)
            return (
              <tr
                key={key}
                data-index={index}
                aria-rowindex={index + 2}
                aria-selected={
                  selection === undefined
                    ? openKey === undefined
                      ? undefined
                      : openKey === key
                    : selection.isChosen(row)
                }
                tabIndex={open === undefined ? undefined : index === keys.active ? 0 : -1}
                className={`${open === undefined ? '' : classes.opens} ${openKey === key || selection?.isChosen(row) === true ? classes.open : ''}`}
                style={{ height }}
                onFocus={() => keys.setCurrent(index)}
                onKeyDown={(event) => keys.press(event, index)}
                onClick={
                  open === undefined
                    ? undefined
                    : (event) => {
                        if (isOnRow(event)) open(row)
                      }
                }
              >
                {selection === undefined ? null : (
                  <td className={classes.box}>
                    <Box
                      label={selection.nameOf(row)}
                      state={selection.isChosen(row)}
                      change={(isRange) => toggle(index, isRange)}
                      // with a box in the heading there are many rows, whose boxes are not in the Tab order: Space on
                      // the row chooses it
                      isTabbed={selection.all === undefined}
                    />
                  </td>
                )}
                {shown.map((column, c) => (
                  <td
                    key={column.id}
                    className={
                      column.isNumber === true
                        ? classes.number
                        : c < named && column.title === ''
                          ? classes.box
                          : undefined
                    }
                  >
                    {column.cell(row)}
                    {c === named && isPhone && phoneLine !== undefined ? (
                      <div className={classes.phoneLine}>{phoneLine(row)}</div>
                    ) : null}
                  </td>
                ))}
              </tr>
            )
          })}
          {after > 0 ? <tr aria-hidden="true" style={{ height: after }} /> : null}
        </tbody>
      </table>
    </div>
  )
}

/** Whether a click is on the row itself: not on a link or button in it, and not the end of a text selection. */
const isOnRow = ({ target }: { target: EventTarget }) =>
  (target as Element).closest('a, button, label, input') === null && getSelection()?.isCollapsed !== false

/** The rows sorted by the column whose heading was clicked last. */
function useSorting<T>(shown: readonly Column<T>[], rows: readonly T[]) {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, { row: T }>()
    return helper.columns(
      shown.map((column) =>
        helper.accessor(({ row }) => column.sortBy?.(row) ?? '', {
          id: column.id,
          header: column.title,
          enableSorting: column.sortBy !== undefined,
          sortFn: 'basic',
        }),
      ),
    )
  }, [shown])
  const data = useMemo(() => rows.map((row) => ({ row })), [rows])
  return useTable({ features, columns: definitions, data, enableSortingRemoval: true })
}

function Head<T>({
  shown,
  named,
  table,
  selection,
  order,
  reorder,
}: Pick<ListProps<T>, 'selection' | 'order' | 'reorder'> & {
  shown: readonly Column<T>[]
  named: number
  table: ReturnType<typeof useSorting<T>>
}) {
  const { t } = useTranslation()
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection === undefined ? null : (
          <td className={classes.box}>
            {selection.all === undefined ? (
              <span className={classes.blank} />
            ) : (
              <Box
                label={t('list.chooseAll')}
                state={selection.all.isChosen}
                change={() => selection.all?.choose(selection.all.isChosen !== true)}
              />
            )}
          </td>
        )}
        {table.getHeaderGroups()[0]?.headers.map((header, i) => (
          <Heading
            key={header.id}
            title={shown[i]?.title ?? ''}
            isNumber={shown[i]?.isNumber === true}
            isBox={i < named}
            sorted={sortedBy(shown[i], order) ?? header.column.getIsSorted()}
            sort={
              sorting(shown[i], reorder) ??
              (header.column.getCanSort() ? header.column.getToggleSortingHandler() : undefined)
            }
          />
        ))}
      </tr>
    </thead>
  )
}

/** The service's sort order of a column: false if it sorts by another one, undefined if it cannot sort by this one. */
function sortedBy<T>(
  column: Column<T> | undefined,
  order: ListOrder | null | undefined,
): 'asc' | 'desc' | false | undefined {
  if (column?.sortKey === undefined || order === undefined) return undefined
  if (order?.key !== column.sortKey) return false
  return order.isDescending ? 'desc' : 'asc'
}

function sorting<T>(column: Column<T> | undefined, reorder: ((key: string) => void) | undefined) {
  const key = column?.sortKey
  return key === undefined || reorder === undefined ? undefined : () => reorder(key)
}

/** A checkbox of the list. Those of rows are usually not in the Tab order. */
function Box({
  label,
  state,
  change,
  isTabbed = true,
}: {
  label: string
  state: boolean | null
  change: (isRange: boolean) => void
  isTabbed?: boolean
}) {
  return (
    <label className={classes.boxArea}>
      <input
        type="checkbox"
        aria-label={label}
        checked={state === true}
        ref={(box) => {
          if (box !== null) box.indeterminate = state === null
        }}
        tabIndex={isTabbed ? 0 : -1}
        onChange={(event) => change((event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  )
}

function Heading({
  title,
  isNumber,
  isBox,
  sorted,
  sort,
}: {
  title: string
  isNumber: boolean
  /** For the column of checkboxes, which precedes the one that names a row. */
  isBox: boolean
  sorted: false | 'asc' | 'desc'
  sort: ((event: unknown) => void) | undefined
}) {
  const { t } = useTranslation()
  const name = isNumber ? classes.number : undefined
  if (title === '')
    return (
      <td className={isBox ? classes.box : name}>
        <span className={classes.blank} />
      </td>
    )
  if (sort === undefined)
    return (
      <th scope="col" className={name}>
        {title}
      </th>
    )
  const Arrow = sorted === 'desc' ? ArrowDownIcon : ArrowUpIcon
  return (
    <th
      scope="col"
      className={name}
      aria-sort={sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending'}
    >
      <button type="button" className={classes.sort} onClick={sort} title={t('list.sort', { title })}>
        {title}
        <Arrow size={12} className={sorted === false ? classes.unsorted : undefined} />
      </button>
    </th>
  )
}
