// Finds the parameter that a misspelled name means, by the rules of the service: it refuses `id=1`, because a client would take the first page for the answer.

/** How many letters may be wrong, by the length of the known name. */
const typosOf = (length: number) => (length >= 7 ? 2 : length >= 4 ? 1 : 0)

/** A name without the parts in which spellings differ: case, separators, brackets, the plural. */
function plain(name: string): string {
  const word = name
    .replace(/\[.*$/s, '')
    .replaceAll(/[-_.\s]/g, '')
    .toLowerCase()
  return word.length > 2 && word.endsWith('s') ? word.slice(0, -1) : word
}

/**
 * @param known names, each with its aliases
 * @returns the known name that is meant; null: none, so the service ignores the parameter
 */
export function suggestedName(given: string, known: Readonly<Record<string, readonly string[]>>): string | null {
  if (given.length > 40) return null
  const word = plain(given)
  if (word === '') return null
  const names = Object.keys(known).map((name) => ({ name, word: plain(name) }))
  const aliases = Object.entries(known).flatMap(([name, others]) =>
    others.map((other) => ({ name, word: plain(other) })),
  )
  const same = names.find((one) => one.word === word) ?? aliases.find((one) => one.word === word)
  if (same !== undefined) return same.name
  const near = names.flatMap((one) => {
    const typos = distance(word, one.word)
    return typos <= typosOf(one.word.length) ? [{ name: one.name, typos }] : []
  })
  return near.sort((a, b) => a.typos - b.typos)[0]?.name ?? null
}

/** The number of letters to insert, leave out, replace, or swap with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = []
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = []
    rows.push(row)
    for (let j = 0; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
              isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
            ),
      )
    }
  }
  return at(a.length, b.length)
}
