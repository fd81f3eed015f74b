/** Timestamps of the API: UTC, whole seconds, `2026-11-20T10:00:00+00:00`. */
export function formatTimestamp(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+00:00`
}

/** The timestamp; null stays null. */
export const timeOrNull = (at: Date | null): string | null => (at === null ? null : formatTimestamp(at))

/**
 * Formats like formatTimestamp, but fast for lists in which neighbours often have the same time, as the changes of one
 * write do.
 */
export function openTimestamps(): (at: Date) => string {
  let lastMs = NaN
  let lastText = ''
  return (at) => {
    const ms = at.getTime()
    if (ms === lastMs) return lastText
    lastMs = ms
    return (lastText = formatTimestamp(at))
  }
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/**
 * Parses an RFC 3339 timestamp; fractions of a second are floored. A raw `+` in a query string arrives as a space and
 * is accepted. @returns null for anything else: no offset, an impossible date (February 30th), an impossible time.
 */
export function parseTimestamp(text: string): Date | null {
  const match = RFC3339.exec(text.replace(/ (?=\d\d:\d\d$)/, '+'))
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const offset = offsetMinutes(match[7] ?? 'Z')
  if (offset === null || hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12 || year < 1) return null
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  // a day that the month does not have would roll over into the next one
  if (day < 1 || at.getUTCMonth() !== month - 1) return null
  at.setUTCHours(hour, minute - offset, second, 0)
  return at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9_999 ? null : at
}

function offsetMinutes(text: string): number | null {
  if (text === 'Z' || text === 'z') return 0
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number)
  if (hours > 23 || minutes > 59) return null
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
