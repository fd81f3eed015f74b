const LENGTH_MAX = 200

/** A file's name as it can be stored and shown: without control characters, and not longer than people read. */
export function shownName(name: string): string {
  const plain = name
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, LENGTH_MAX)
    // the cut may have halved a surrogate pair
    .toWellFormed()
  return plain === '' ? 'file' : plain
}
