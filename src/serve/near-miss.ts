// Which known parameter a misspelled name means: `Page`, `per-page`, `id` for ids, `stores`, `sinceId`, `limt`.
// Names that merely happen to be unknown (`_`, `v`, `utm_source`) mean none.

/** How many letters may be wrong, by the length of the known name: short names are near to too many words. */
const typosOf = (length: number) => (length >= 7 ? 2 : length >= 4 ? 1 : 0)

/** A name without what spellings differ in: case, separators, brackets, the plural. */
function plain(name: string): string {
  const word = name
    .replace(/\[.*$/s, '')
    .replaceAll(/[-_.\s]/g, '')
    .toLowerCase()
  return word.length > 2 && word.endsWith('s') ? word.slice(0, -1) : word
}

/**
 * @param known names by what they are; further names under which clients look for them.
 * @returns a function from an unknown name to the known one that is meant, or null.
 */
export function nearMisses(known: Readonly<Record<string, readonly string[]>>): (name: string) => string | null {
  const names = Object.keys(known).map((name) => ({ name, word: plain(name) }))
  const aliases = Object.entries(known).flatMap(([name, others]) =>
    others.map((other) => ({ name, word: plain(other) })),
  )
  return (given) => {
    // no name is that long, and the comparison below takes time
    if (given.length > 40) return null
    const word = plain(given)
    if (word === '') return null
    const same = names.find((entry) => entry.word === word) ?? aliases.find((entry) => entry.word === word)
    if (same !== undefined) return same.name
    let nearest: { name: string; typos: number } | null = null
    for (const entry of names) {
      const most = typosOf(entry.word.length)
      if (Math.abs(entry.word.length - word.length) > most) continue
      const typos = distance(word, entry.word)
      if (typos <= most && (nearest === null || typos < nearest.typos)) nearest = { name: entry.name, typos }
    }
    return nearest?.name ?? null
  }
}

/** How many letters must be inserted, left out, replaced or swapped with their neighbour (Damerau and Levenshtein). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
