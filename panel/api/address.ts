// Readers for the parameters of a page's address. Invalid values are left out.

/** A text. The router parses a text of digits as a number, so numbers are accepted. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** A positive integer ID. */
export function idIn(value: unknown): number | undefined {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}
