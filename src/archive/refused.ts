import { ShelfwireError } from '../platform/errors.ts'

/**
 * An archive that is not imported.
 * @param place the file of the archive, with its line where one is meant
 */
export function refused(place: string, reason: string, cause?: unknown): ShelfwireError {
  return new ShelfwireError('invalid-input', `the archive is refused: ${place}: ${reason}`, {
    faults: [{ name: place, reason }],
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Names and texts of an archive in an error, short and without control characters. */
export const inText = (text: string): string => JSON.stringify(text.slice(0, 80))
