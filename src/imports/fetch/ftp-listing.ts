import { parseList } from 'basic-ftp'
import { asError } from '../../platform/errors.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { NewestFile } from './newest-file.ts'

/** Characters of a listing that are parsed in one piece: a megabyte in one keeps the event loop for some 50 ms. */
const PIECE_CHARACTERS = 8_192

/**
 * Adds the files of a directory's listing, as a server sends it. Other work has its turns between pieces of it.
 * @throws FetchError when there are too many; Error where nothing in it is in a form that is known
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
      // its last line says of which form it is, and may be a message: then each line speaks for itself
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

/** Whole lines, about as many characters at a time. */
function* piecesOf(listing: string): Generator<string> {
  for (let from = 0; from < listing.length;) {
    const end = listing.indexOf('\n', from + PIECE_CHARACTERS)
    const to = end === -1 ? listing.length : end + 1
    yield listing.slice(from, to)
    from = to
  }
}
