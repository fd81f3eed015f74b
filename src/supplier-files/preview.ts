import { openYielding } from '../platform/turns/yielding.ts'
import { Reading, type ReadRow } from './reading.ts'
import type { Mapping } from './mapping/mapping.ts'
import { defaultLimits, type RawRow, type Warn } from './rows.ts'

/** A row of a file and the result of the mapping. `row` is null for a row that cannot be read. */
export interface PreviewedRow {
  row: Readonly<Record<string, unknown>> | null
  read: ReadRow
}

/** Reads the first `count` rows of a file exactly as an import does, and no more of the file than they need. */
export async function previewRows(
  bytes: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  count: number,
  warn: Warn = () => {},
): Promise<PreviewedRow[]> {
  const reading = new Reading(mapping, defaultLimits, warn)
  const previewed: PreviewedRow[] = []
  const yielding = openYielding()
  for await (const page of reading.rows(bytes)) {
    for (const raw of page.slice(0, count - previewed.length)) {
      previewed.push({ row: rowOf(raw, reading), read: reading.convert(raw) })
      const pause = yielding()
      if (pause !== null) await pause
    }
    if (previewed.length >= count) break
  }
  for (const warning of reading.warnings()) warn(warning)
  return previewed
}

const rowOf = (raw: RawRow, reading: Reading) => ('row' in raw ? reading.membersOf(raw.row) : null)
