import { useTranslation } from 'react-i18next'
import type { GridColumn } from './columns.ts'
import { cellsIn, type Range, type SheetState } from './sheet-state.ts'
import type { SheetActions } from './use-cells.ts'
import { fromTsv, toTsv } from './tsv.ts'

/** The actions of keys and buttons on cells; `say` announces results to screen readers. */
export function useActions(
  state: SheetState,
  columns: readonly GridColumn[],
  say: (text: string) => void,
  save: () => void,
): SheetActions {
  const { t } = useTranslation('grid')
  const idsIn = (range: Range) => state.rows.slice(range.top, range.bottom + 1)
  return {
    write: (id, column, text) => void state.write([{ id, column, value: state.asOwn(id, column, text) }]),
    reset(range) {
      const count = state.write(cellsIn(state, columns, range).map((cell) => ({ ...cell, value: null })))
      say(t('said.reset', { count }))
    },
    fillDown(range) {
      const [first, ...others] = idsIn(range)
      if (first === undefined) return
      const cells = columns.slice(range.left, range.right + 1).flatMap(({ name }) => {
        const text = state.shown(first.id, name)
        const hidden = state.own(first.id, name) === false
        return others.map(
          ({ id }) => ({ id, column: name, value: hidden ? false : state.asOwn(id, name, text) }) as const,
        )
      })
      say(t('said.filled', { count: state.write(cells) }))
    },
    copy(range) {
      const cells = idsIn(range).map(({ id }) =>
        columns.slice(range.left, range.right + 1).map(({ name }) => state.shown(id, name)),
      )
      say(t('said.copied', { count: cells.length * (range.right - range.left + 1) }))
      return toTsv(cells)
    },
    paste(range, text) {
      const block = fromTsv(text)
      const width = Math.max(...block.map((row) => row.length))
      // a single value fills every chosen cell; a block is pasted from the first cell on
      const isOne = block.length === 1 && width === 1
      const rows = isOne ? range.bottom - range.top + 1 : block.length
      const across = isOne ? range.right - range.left + 1 : width
      let missed = 0
      const cells = []
      for (let down = 0; down < rows; down++) {
        for (let right = 0; right < across; right++) {
          const value = isOne ? block[0]?.[0] : block[down]?.[right]
          const row = state.rows[range.top + down]
          const column = columns[range.left + right]
          if (value === undefined) continue
          if (row === undefined || column === undefined || column.isReadOnly) missed++
          else cells.push({ id: row.id, column: column.name, value: state.asOwn(row.id, column.name, value) })
        }
      }
      const count = state.write(cells)
      say([t('said.pasted', { count }), ...(missed > 0 ? [t('said.missed', { count: missed })] : [])].join(' '))
    },
    undo: () => say(t('said.undone', { count: state.undo().length })),
    redo: () => say(t('said.redone', { count: state.redo().length })),
    save,
  }
}
