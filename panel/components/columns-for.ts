/**
 * The columns that are shown for all these rows, whichever of them are left in the list: else columns would come and go with what is
 * searched for.
 */
export const columnsFor = <T, C extends { isShownFor?: (rows: readonly T[]) => boolean }>(
  columns: readonly C[],
  rows: readonly T[],
): Omit<C, 'isShownFor'>[] =>
  columns.flatMap(({ isShownFor, ...column }) => ((isShownFor?.(rows) ?? true) ? column : []))
