/** Retry-After: seconds or an HTTP date, as milliseconds from now, at most `maxMs`; null where there is nothing to follow. */
export function retryAfterOf(text: string | null, maxMs: number): number | null {
  if (text === null) return null
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, maxMs)
}
