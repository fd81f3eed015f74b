import { editDistance } from '../model/edit-distance.ts'

// Finds the known parameter that a misspelled name means: `Page`, `per-page`, `id` for ids, `stores`, `sinceId`, `limt`.
// A name that is unknown but resembles none (`_`, `v`, `utm_source`) means none.

/** How many letters may be wrong, by the length of the known name: a short name resembles too many words. */
const typosOf = (length: number) => (length >= 7 ? 2 : length >= 4 ? 1 : 0)

/** A name without case, separators, brackets and plural, in which spellings differ. */
function plain(name: string): string {
  const word = name
    .replace(/\[.*$/s, '')
    .replaceAll(/[-_.\s]/g, '')
    .toLowerCase()
  return word.length > 2 && word.endsWith('s') ? word.slice(0, -1) : word
}

/**
 * @param known each known name with further names that clients use for it.
 * @returns a function from an unknown name to the known one that is meant, or null.
 */
export function nearMisses(known: Readonly<Record<string, readonly string[]>>): (name: string) => string | null {
  const names = Object.keys(known).map((name) => ({ name, word: plain(name) }))
  const aliases = Object.entries(known).flatMap(([name, others]) =>
    others.map((other) => ({ name, word: plain(other) })),
  )
  return (given) => {
    // no known name is that long, and comparing long names takes time
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
