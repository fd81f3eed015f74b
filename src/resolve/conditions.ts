// Conditions of rules, whatever the rules decide. Each is compiled once per account and asked once per product.

/** What a rule may ask about a product; the same in every store. */
export interface ProductFacts {
  productId: number
  /** Folded; null when none is known. */
  manufacturer: string | null
  /** Folded path; null when none is known. */
  category: string | null
}

/** A name compared as people read it: without regard to letter case and outer spaces. */
export function foldName(text: string): string {
  return text.normalize('NFC').trim().toLowerCase()
}

/** A category path compared level by level: `Tools / Hand tools/` is `tools/hand tools`. */
export function foldCategory(path: string): string {
  return path
    .split('/')
    .map(foldName)
    .filter((level) => level !== '')
    .join('/')
}

/** Whether a folded path is one of the categories or lies below one. */
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

/** Whether a folded name is one of the names. */
export function nameTest(names: readonly string[]): (name: string | null) => boolean {
  const wanted = new Set(names.map(foldName))
  return (name) => name !== null && wanted.has(name)
}

/** Whether an id is one of the ids. */
export function idTest(ids: readonly number[]): (id: number | null) => boolean {
  const wanted = new Set(ids)
  return (id) => id !== null && wanted.has(id)
}

/** Rules in the order in which they are tried. */
export function byPriority<T extends { priority: number; ruleId: number }>(rules: readonly T[]): T[] {
  return [...rules].sort((a, b) => a.priority - b.priority || a.ruleId - b.ruleId)
}
