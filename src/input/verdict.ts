/**
 * The result of reading a value: the value as it is stored, or the reason why it is refused.
 * docs/decisions/058-one-input-room.md says why.
 */
export type Verdict<T> = { value: T } | { reason: string }

/** A value as a message quotes it, cut to 60 characters. */
export const quoted = (value: string): string => JSON.stringify(shortened(value))

/** A value for a message, cut to 60 characters and not quoted. */
export const shortened = (value: string): string =>
  value.length > 60 ? `${value.slice(0, 60).toWellFormed()}…` : value

/** The end of a message about an invalid value: `, not "12,5"`; empty for a list, an object or null. */
export function actualValueSuffix(value: unknown): string {
  if (typeof value === 'string') return `, not ${quoted(value)}`
  return typeof value === 'number' || typeof value === 'boolean' ? `, not ${value}` : ''
}
