const LENGTH_MAX = 200

/** A file's name for storage and display: without control characters, and cut to LENGTH_MAX. */
export function shownName(name: string): string {
  const plain = name
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, LENGTH_MAX)
    // the cut may have halved a surrogate pair
    .toWellFormed()
  return plain === '' ? 'file' : plain
}
