import { openYielding } from '../platform/turns/yielding.ts'
import type { Mapping } from './mapping/mapping.ts'
import { Reading, type FileDoubts, type ReadRow } from './reading.ts'
import { defaultLimits, unreadable, type ReadLimits, type Warn } from './rows.ts'
import { workOfRow } from './row-work.ts'

/**
 * The rows of a file in pages; `doubts`: what is doubtful about the file, complete after the last page; `read`: how many bytes of it have been
 * read.
 */
export type OfferPages = AsyncGenerator<ReadRow[]> & { doubts: () => FileDoubts; read: () => number }

/**
 * Reads a supplier's file into pages of up to importPageRows rows, in file order. Memory use does not grow with the file, except for workbooks and
 * for rows of one product that are not next to each other.
 * @param limits smaller ones in tests
 * @param warn receives warnings about the file as a whole, during reading and at its end
 * @throws ShelfwireError `source-unreadable`, possibly after some pages, for a file that cannot be used as a whole: binary, cut off, not in its
 * encoding, without the columns of the mapping, or over a limit
 */
export function readOfferPages(
  bytes: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  limits: ReadLimits = defaultLimits,
  warn: Warn = () => {},
): OfferPages {
  const reading = new Reading(mapping, limits, warn)
  return Object.assign(readPages(reading, bytes, limits), { doubts: () => reading.doubts(), read: () => reading.read })
}

/**
 * The work of a row in addition to that of its mapping, and the work after which the clock is checked: about a millisecond (units of row-work.ts).
 */
const ROW_UNITS = 1_000
const UNITS_BETWEEN_LOOKS = 25_000

async function* readPages(
  reading: Reading,
  bytes: AsyncIterable<Uint8Array>,
  limits: ReadLimits,
): AsyncGenerator<ReadRow[]> {
  let page: ReadRow[] = []
  let count = 0
  const yielding = openYielding()
  let work = 0
  for await (const rows of reading.rows(bytes)) {
    for (const raw of rows) {
      count++
      if (count > limits.importRowsMax)
        throw unreadable(`line ${raw.line}: the file has more than ${limits.importRowsMax} rows: split it`)
      page.push(reading.convert(raw))
      work += ROW_UNITS + workOfRow()
      if (work >= UNITS_BETWEEN_LOOKS) {
        work = 0
        const pause = yielding()
        if (pause !== null) await pause
      }
      if (page.length >= limits.importPageRows) {
        yield page
        page = []
      }
    }
  }
  if (page.length > 0) yield page
  reading.end(count)
}
