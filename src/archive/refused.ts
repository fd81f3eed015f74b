import { ShelfwireError } from '../platform/errors.ts'

/**
 * The error for an archive that is refused.
 * @param place the file of the archive, with the line if there is one
 */
export function archiveRefusal(place: string, reason: string, cause?: unknown): ShelfwireError {
  return new ShelfwireError('invalid-input', `the archive is refused: ${place}: ${reason}`, {
    faults: [{ name: place, reason }],
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Quotes a name or text of an archive in an error: short and without control characters. */
export const inText = (text: string): string => JSON.stringify(text.slice(0, 80))
