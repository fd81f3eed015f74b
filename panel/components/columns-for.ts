import type { Column } from './list.tsx'

/**
 * The columns that are shown for all these rows, whichever of them are left in the list: else columns would come and go with what is
 * searched for.
 */
export const columnsFor = <T>(columns: readonly Column<T>[], rows: readonly T[]): Column<T>[] =>
  columns.flatMap(({ isShownFor, ...column }) => ((isShownFor?.(rows) ?? true) ? column : []))
