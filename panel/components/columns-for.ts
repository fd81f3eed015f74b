/**
 * The columns that are shown for these rows. Pass all rows, not only those that a search leaves: otherwise columns would appear and
 * disappear while one types.
 */
export const columnsFor = <T, C extends { isShownFor?: (rows: readonly T[]) => boolean }>(
  columns: readonly C[],
  rows: readonly T[],
): Omit<C, 'isShownFor'>[] =>
  columns.flatMap(({ isShownFor, ...column }) => ((isShownFor?.(rows) ?? true) ? column : []))
