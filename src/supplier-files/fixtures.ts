import { parseMapping, type Mapping } from './mapping/mapping.ts'
import { defaultLimits, type ReadLimits } from './rows.ts'
import { readOfferPages } from './read-offers.ts'
import type { ReadRow } from './reading.ts'

// For tests only: suppliers' files from text or bytes, cut into chunks as the test needs.

/** The content as a stream: whole, in chunks of `cuts` bytes, or cut at the given offsets. */
export async function* chunked(
  content: string | Uint8Array,
  cuts: number | readonly number[] = Infinity,
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  await Promise.resolve()
  if (typeof cuts !== 'number') {
    const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
    for (let i = 1; i < places.length; i++) yield bytes.subarray(places[i - 1], places[i])
  } else for (let at = 0; at < bytes.length; at += cuts) yield bytes.subarray(at, Math.min(at + cuts, bytes.length))
}

/** All rows of a file. */
export async function readAll(
  content: string | Uint8Array,
  mapping: unknown,
  cuts?: number | readonly number[],
  limits: Partial<ReadLimits> = {},
): Promise<ReadRow[]> {
  const checked: Mapping = parseMapping(mapping)
  const rows: ReadRow[] = []
  for await (const page of readOfferPages(chunked(content, cuts), checked, { ...defaultLimits, ...limits }))
    rows.push(...page)
  return rows
}

/** Rows in short form: `line:sku` for an offer, `line!faults` for a refused row, `line-` for a skipped one. */
export function summariesOf(rows: readonly ReadRow[]): string[] {
  return rows.map((row) => {
    if ('offer' in row) return `${row.line}:${row.offer.sku}`
    if ('skipped' in row) return `${row.line}-`
    return `${row.line}!${row.faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')}`
  })
}
