/**
 * The delay in milliseconds that a Retry-After header asks for, at most `maxMs`; null if there is none. Seconds or an HTTP date (RFC
 * 9110); only with status 429 and 503.
 */
export function retryAfterMs(status: number, header: string | null, now: Date, maxMs: number): number | null {
  if ((status !== 429 && status !== 503) || header === null) return null
  const text = header.trim()
  // the oldest date format (asctime) has no time zone and means UTC
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : date - now.getTime()
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, maxMs)
}
