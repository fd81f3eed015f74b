import type { Category } from './tree.ts'

// Proposes a category for a supplier's path: the one with the most similar name, in any language. Names are compared by their common
// trigrams, so that endings and word order matter little.

/** Less similar names are not proposed. */
const SIMILAR_FROM = 0.55
/** The weight of the levels above, compared with the names. */
const ABOVE_WEIGHT = 0.25
/** The most characters of a name that are compared. */
const COMPARED_MAX = 60
/**
 * Trigrams of this many names or more are ignored, because they distinguish nothing and would make comparing thousands
 * of paths and categories slow.
 */
const COMMON_FROM = 1_000
/** The most names with common trigrams that are compared in detail. */
const CLOSE_MAX = 50

interface Named {
  category: Category
  name: ReadonlySet<string>
  above: ReadonlySet<string>
}

/** The proposed category of each path that has one. The result does not depend on the order of paths and categories. */
export function proposals(paths: readonly string[], categories: readonly Category[]): Map<string, Category> {
  const named: Named[] = []
  const byPart = new Map<string, Named[]>()
  for (const category of categories) {
    const { levels, above } = levelsOf(category.path)
    for (const text of new Set([levels.at(-1) ?? '', ...namesOf(category)])) {
      const entry = { category, name: partsOf(text), above }
      named.push(entry)
      for (const part of entry.name) {
        const known = byPart.get(part)
        if (known === undefined) byPart.set(part, [entry])
        else known.push(entry)
      }
    }
  }
  return new Map(
    paths.flatMap((path) => {
      const found = mostSimilar(path, byPart)
      return found === null ? [] : [[path, found] as const]
    }),
  )
}

function mostSimilar(path: string, byPart: ReadonlyMap<string, readonly Named[]>): Category | null {
  const { levels, above } = levelsOf(path)
  const wanted = partsOf(levels.at(-1) ?? '')
  const shared = new Map<Named, number>()
  for (const part of wanted) {
    const having = byPart.get(part) ?? []
    if (having.length < COMMON_FROM) for (const entry of having) shared.set(entry, (shared.get(entry) ?? 0) + 1)
  }
  const close = [...shared].sort(([x, a], [y, b]) => b - a || (isFirst(x.category, y.category) ? -1 : 1))
  let best: { category: Category; score: number } | null = null
  for (const [entry] of close.slice(0, CLOSE_MAX)) {
    const names = likeness(wanted, entry.name)
    if (names < SIMILAR_FROM) continue
    const score = (1 - ABOVE_WEIGHT) * names + ABOVE_WEIGHT * likeness(above, entry.above)
    if (best === null || score > best.score || (score === best.score && isFirst(entry.category, best.category)))
      best = { category: entry.category, score }
  }
  return best?.category ?? null
}

/** Of two equally similar categories, the one higher up in the tree is preferred, then the older one. */
function isFirst(a: Category, b: Category): boolean {
  const depth = (category: Category) => category.path.split('/').length
  return depth(a) - depth(b) < 0 || (depth(a) === depth(b) && a.id < b.id)
}

/**
 * Similarity from 0 to 1 (Dice coefficient). If one of the two has no trigrams, such as a path without levels above,
 * 0.5.
 */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 1 : 0.5
  let count = 0
  for (const part of a) if (b.has(part)) count++
  return (2 * count) / (a.size + b.size)
}

const namesOf = ({ names }: Category) => Object.values(names ?? {}).filter((name) => name !== null)

function levelsOf(path: string): { levels: string[]; above: ReadonlySet<string> } {
  const levels = path.split('/').filter((level) => level.trim() !== '')
  return { levels, above: partsOf(levels.slice(0, -1).join(' ').slice(-COMPARED_MAX)) }
}

/** The trigrams of each word, including its beginning and end; accents and letter case are ignored. */
function partsOf(text: string): ReadonlySet<string> {
  const words = text
    .slice(0, COMPARED_MAX)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const parts = new Set<string>()
  for (const word of words) {
    const letters = Array.from(` ${word} `)
    for (let i = 0; i + 3 <= letters.length; i++) parts.add(letters.slice(i, i + 3).join(''))
    // a word of one letter, as is common in Chinese, also counts by itself
    if (letters.length < 4) parts.add(word)
  }
  return parts
}
