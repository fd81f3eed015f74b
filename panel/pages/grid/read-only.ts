/** Whether the cells of a column are only read, by its name. */
export const isReadOnly = (column: string): boolean => /^(?:slug\.|image_alts\.|eans$)/.test(column)
