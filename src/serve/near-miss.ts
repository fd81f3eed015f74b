import { editDistance } from '../model/edit-distance.ts'

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
      const typos = editDistance(word, entry.word)
      if (typos <= most && (nearest === null || typos < nearest.typos)) nearest = { name: entry.name, typos }
    }
    return nearest?.name ?? null
  }
}
