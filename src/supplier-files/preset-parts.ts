// What several ready mappings have in common.

export const optional = (column: string) => ({ column, optional: true })

/** Keeps what can be an EAN of a column that may hold other codes. */
export const EAN = '^\\D?(\\d{8}|\\d{12,14})$'
