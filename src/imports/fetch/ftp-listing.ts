import { parseList } from 'basic-ftp'
import { asError } from '../../platform/errors.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { NewestFile } from './newest-file.ts'

/** Characters of a listing that are parsed at once: parsing a whole megabyte blocks the event loop for about 50 ms. */
const PIECE_CHARACTERS = 8_192

/**
 * Adds the files of a directory's listing, as a server sends it. Parses it in pieces, with turns for other work in
 * between.
 * @throws FetchError when there are too many files; Error if no line has a known format
 */
export async function addListing(newest: NewestFile, listing: string, signal: AbortSignal): Promise<void> {
  const yielding = openYielding()
  let isKnown = false
  let unknown: Error | null = null
  for (const piece of piecesOf(listing)) {
    const pause = yielding()
    if (pause !== null) await pause
    signal.throwIfAborted()
    let entries: ReturnType<typeof parseList>
    try {
      entries = parseList(piece)
    } catch {
      // the parser guesses the format from the last line, which may be a message: then each line is parsed by itself
      entries = piece.split('\n').flatMap((line) => {
        try {
          return line.trim() === '' ? [] : parseList(line)
        } catch (error) {
          unknown = asError(error)
          return []
        }
      })
    }
    isKnown ||= entries.length > 0
    for (const { isDirectory, name, size, modifiedAt } of entries)
      if (!isDirectory) newest.add({ name, bytes: size, modifiedMs: modifiedAt?.getTime() ?? 0 })
  }
  if (unknown !== null && !isKnown) throw unknown
}

/** Splits a listing into whole lines, about PIECE_CHARACTERS at a time. */
function* piecesOf(listing: string): Generator<string> {
  for (let from = 0; from < listing.length;) {
    const end = listing.indexOf('\n', from + PIECE_CHARACTERS)
    const to = end === -1 ? listing.length : end + 1
    yield listing.slice(from, to)
    from = to
  }
}
