import type { TraceContext } from './tracing.ts'

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads a W3C `traceparent` of version 00 or later; null if it is malformed: a new trace is then started. */
export function readTraceparent(text: unknown): TraceContext | null {
  if (typeof text !== 'string' || text.length > 128) return null
  const [, version, traceId, spanId, flags, rest] = FORM.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  // only later versions may have further parts
  if (version === '00' && rest !== undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
