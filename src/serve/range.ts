/** One part of a body for a Range header (RFC 9110): positions of bytes, both inclusive. */
import type { ByteRange } from '../objects/object-store.ts'

/**
 * Reads a Range header for a body of `bytes` bytes.
 * @returns the part; null if the whole body is to be sent (no header, several parts, or malformed); 'unsatisfiable' if the part
 *   begins after the end.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const count = Math.min(Number(to), bytes)
    return count === 0 ? 'unsatisfiable' : { first: bytes - count, last: bytes - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return null
  if (first >= bytes) return 'unsatisfiable'
  return { first, last: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) }
}
