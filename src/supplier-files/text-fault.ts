/** Puts a value in words for a fault: quoted, cut to 60 characters. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

/** Why text cannot be kept, if so. PostgreSQL text holds neither NUL nor half of a surrogate pair. */
export function textFault(text: string, max: number): string | undefined {
  if (text.length > max) return `${quoted(text)} is longer than ${max} characters`
  if (text.includes('\0')) return `${quoted(text)} holds a NUL character`
  if (!text.isWellFormed()) return `${quoted(text)} holds half of a surrogate pair, which is no character`
  return undefined
}
