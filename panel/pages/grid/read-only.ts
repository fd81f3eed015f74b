/** Whether a column, by its name, is read-only. */
export const isReadOnly = (column: string): boolean => /^(?:slug\.|image_alts\.|eans$)/.test(column)
