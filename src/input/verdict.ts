/** What a reader makes of a value: the value as it is stored, or the reason why it cannot be. */
export type Verdict<T> = { value: T } | { reason: string }

/** A value for a fault: quoted, cut to 60 characters. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60).toWellFormed()}…` : value)
}

/** What follows the words of a rule that a value broke: `, not "12,5"`; nothing for a list, an object or null. */
export function butIs(value: unknown): string {
  if (typeof value === 'string') return `, not ${quoted(value)}`
  return typeof value === 'number' || typeof value === 'boolean' ? `, not ${value}` : ''
}
