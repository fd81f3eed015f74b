import { parseMapping, type Mapping } from './mapping.ts'
import { defaultLimits, type ReadLimits } from './rows.ts'
import { readOfferPages, type ReadRow } from './read-offers.ts'

// For tests only: feeds out of text or bytes, cut as the test wants them.

/** A feed in chunks of `size` bytes (whole where missing), or in chunks that end at the given places. */
export async function* feed(
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

/** All rows of a feed. */
export async function readAll(
  content: string | Uint8Array,
  mapping: unknown,
  cuts?: number | readonly number[],
  limits: Partial<ReadLimits> = {},
): Promise<ReadRow[]> {
  const checked: Mapping = parseMapping(mapping)
  const rows: ReadRow[] = []
  for await (const page of readOfferPages(feed(content, cuts), checked, { ...defaultLimits, ...limits }))
    rows.push(...page)
  return rows
}

/** Rows as `line:sku`, `line!faults` or `line-` for a short look at a whole feed. */
export function brief(rows: readonly ReadRow[]): string[] {
  return rows.map((row) => {
    if ('offer' in row) return `${row.line}:${row.offer.sku}`
    if ('skipped' in row) return `${row.line}-`
    return `${row.line}!${row.faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')}`
  })
}
