import { LIMITS } from '../../platform/limits.ts'

/**
 * How long a Retry-After asks to wait, in milliseconds, at most LIMITS.webhookRetryAfterMs; null when it says nothing of use.
 * Seconds or an HTTP date (RFC 9110); only on 429 and 503.
 */
export function retryAfterMs(status: number, header: string | null, now: Date): number | null {
  if ((status !== 429 && status !== 503) || header === null) return null
  const text = header.trim()
  // the oldest form of a date names no zone and means UTC
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : date - now.getTime()
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, LIMITS.webhookRetryAfterMs)
}
