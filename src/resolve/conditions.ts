import { trimmed } from '../model/blank.ts'

// Conditions that rules of all kinds share. Each is compiled once per account and tested once per product.

/** What conditions look at: facts about a product that are the same in every store. */
export interface ProductFacts {
  productId: number
  /** Folded; null when none is known. */
  manufacturer: string | null
  /** Folded path; null when none is known. */
  category: string | null
}

/** Normalizes a name for comparison: letter case, and blanks at its ends, do not count. */
export function foldName(text: string): string {
  return trimmed(text.normalize('NFC')).toLowerCase()
}

/** Normalizes a category path for comparison, level by level: `Tools / Hand tools/` becomes `tools/hand tools`. */
export function foldCategory(path: string): string {
  return path
    .split('/')
    .map(foldName)
    .filter((level) => level !== '')
    .join('/')
}

/** Tests whether a folded path is one of the categories or below one. */
export function categoryTest(categories: readonly string[]): (path: string | null) => boolean {
  const roots = new Set(categories.map(foldCategory))
  return (path) => {
    if (path === null) return false
    if (roots.has(path)) return true
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (roots.has(path.slice(0, at))) return true
    }
    return false
  }
}

/** Tests whether a folded name is one of the names. */
export function nameTest(names: readonly string[]): (name: string | null) => boolean {
  const among = new Set(names.map(foldName))
  return (name) => name !== null && among.has(name)
}

/** Tests whether an id is one of the ids. */
export function idTest(ids: readonly number[]): (id: number | null) => boolean {
  const among = new Set(ids)
  return (id) => id !== null && among.has(id)
}

/** Rules in the order in which they are tried. */
export function byPriority<T extends { priority: number; ruleId: number }>(rules: readonly T[]): T[] {
  return [...rules].sort((a, b) => a.priority - b.priority || a.ruleId - b.ruleId)
}
