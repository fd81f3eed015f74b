import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { GridColumn } from './columns.ts'
import classes from './grid.module.css'
import type { Place } from './keys.ts'
import { keyOf, type SheetState } from './sheet-state.ts'

/** A cell with its marks for an own value, a change, or a refusal. Each is shown by a shape and in words as well. */
export function Cell({
  state,
  id,
  column,
  place,
  left,
  isActive,
  isChosen,
  editing,
  commit,
  cancel,
}: {
  state: SheetState
  id: number
  column: GridColumn
  place: Place
  left: number
  isActive: boolean
  isChosen: boolean
  editing: { text: string } | null
  commit: (text: string, move: Partial<Place>) => void
  cancel: () => void
}) {
  const { t } = useTranslation('grid')
  const key = keyOf(id, column.name)
  const own = state.own(id, column.name)
  const isChanged = state.drafts.has(key)
  const fault = state.faults.get(key)
  const marks = [
    fault === undefined ? null : t(`marks.${fault.kind}`),
    isChanged ? t('marks.changed') : null,
    own === false ? t('marks.hidden') : own === null ? null : t('marks.own'),
    column.isReadOnly ? t('marks.readOnly') : null,
  ].filter((mark) => mark !== null)
  const names = [
    classes.cell,
    column.isNumber ? classes.number : '',
    isActive ? classes.active : isChosen ? classes.chosen : '',
    isChanged ? classes.changed : '',
    fault === undefined ? '' : classes.faulty,
    own === null ? '' : classes.own,
    column.isReadOnly ? classes.readOnly : '',
  ]
  return (
    <div
      role="gridcell"
      aria-colindex={place.column + 2}
      aria-selected={isChosen}
      aria-readonly={column.isReadOnly ? true : undefined}
      aria-invalid={fault === undefined ? undefined : true}
      tabIndex={isActive ? 0 : -1}
      data-row={place.row}
      data-column={place.column}
      className={names.join(' ')}
      style={{ left, width: column.width }}
    >
      {editing === null ? (
        <>
          <span className={classes.text} dir="auto" lang={column.locale}>
            {own === false ? t('hidden') : state.shown(id, column.name)}
          </span>
          {fault === undefined ? null : (
            <span className={classes.sign} aria-hidden="true">
              !
            </span>
          )}
          {marks.length === 0 ? null : <span className={classes.said}>{`, ${marks.join(', ')}`}</span>}
        </>
      ) : (
        <Editor column={column} text={editing.text} commit={commit} cancel={cancel} />
      )}
    </div>
  )
}

function Editor({
  column,
  text,
  commit,
  cancel,
}: {
  column: GridColumn
  text: string
  commit: (text: string, move: Partial<Place>) => void
  cancel: () => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isOver = useRef(false)
  useLayoutEffect(() => {
    const { current } = field
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(text.length, text.length)
  }, [text])
  const end = (move: Partial<Place>) => {
    if (isOver.current) return
    isOver.current = true
    commit(field.current?.value ?? text, move)
  }
  return (
    <textarea
      ref={field}
      defaultValue={text}
      className={`${classes.editor} ${column.isLong ? classes.long : ''} ${column.isNumber ? classes.number : ''}`}
      rows={column.isLong ? 8 : 1}
      aria-label={column.title}
      lang={column.locale}
      dir="auto"
      spellCheck={column.locale !== undefined}
      {...(column.kind === 'quantity'
        ? { inputMode: 'numeric' }
        : column.kind === 'cost' || column.kind === 'price'
          ? { inputMode: 'decimal' }
          : {})}
      onBlur={() => end({})}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') {
          isOver.current = true
          cancel()
        } else if (event.key === 'Enter' && !event.altKey && !(column.isLong && event.shiftKey))
          end({ row: event.shiftKey ? -1 : 1 })
        else if (event.key === 'Enter' && event.altKey && column.isLong) {
          const { currentTarget: area } = event
          area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end')
        } else if (event.key === 'Tab') end({ column: event.shiftKey ? -1 : 1 })
        else return
        event.preventDefault()
      }}
    />
  )
}
