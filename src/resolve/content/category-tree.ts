import { trimmed, visible } from '../../model/blank.ts'
import { must } from '../../platform/must.ts'
import { foldCategory } from '../rules/conditions.ts'

// The account's own categories as a tree, and their names by language. The tree follows from the paths: a category's parent is the one with
// the longest path above its own, so there are no cycles. Payloads and GET /v1/categories use the same functions.

/** The members of a category that the tree needs. */
export interface TreeCategory {
  categoryId: number
  /** Levels joined by `/`. */
  path: string
  /** locale -> name. */
  names: Readonly<Record<string, string>>
}

/** Joins the names of a shown path. Names cannot contain it: a `>` in a name is shown as `›`. */
const BETWEEN = ' > '

/** Categories by their folded paths. */
export interface CategoryTree<C extends TreeCategory> {
  /** The category with this folded path, or null. */
  find(folded: string): C | null
  /** The folded path of a category of the tree. */
  folded(category: C): string
  /** The nearest category above; null: none. Cached. */
  above(category: C): C | null
  /**
   * Names from the top down in one language, joined by ` > `. A level of the path that is no category is shown as written.
   * @param chain locales in which names are looked for, in order.
   */
  shownPath(category: C, chain: readonly string[]): string
}

/**
 * Makes the tree. If two categories have the same path, the one with the lower id has it, whatever their order.
 * @param paths the folded paths, in the order of `categories`. A caller that must yield folds them itself in parts.
 */
export function categoryTree<C extends TreeCategory>(
  categories: readonly C[],
  paths: readonly string[] = categories.map(({ path }) => foldCategory(path)),
): CategoryTree<C> {
  const byPath = new Map<string, C>()
  const foldedOf = new Map<C, string>()
  const aboveOf = new Map<C, C | null>()
  for (const [i, category] of categories.entries()) {
    const folded = must(paths[i])
    foldedOf.set(category, folded)
    const known = byPath.get(folded)
    if (known === undefined || known.categoryId > category.categoryId) byPath.set(folded, category)
  }
  const findAbove = (category: C): C | null => {
    const folded = must(foldedOf.get(category))
    for (let end = folded.lastIndexOf('/'); end > 0; end = folded.lastIndexOf('/', end - 1)) {
      const found = byPath.get(folded.slice(0, end))
      if (found !== undefined) return found
    }
    return null
  }
  return {
    find: (folded) => byPath.get(folded) ?? null,
    folded: (category) => must(foldedOf.get(category)),
    above(category) {
      const known = aboveOf.get(category)
      if (known !== undefined) return known
      const found = findAbove(category)
      aboveOf.set(category, found)
      return found
    },
    shownPath(category, chain) {
      const levels = levelsOf(category.path)
      let folded = ''
      const names = levels.map((level, i) => {
        folded = i === 0 ? foldCategory(level) : `${folded}/${foldCategory(level)}`
        const own = i === levels.length - 1 ? category : byPath.get(folded)
        return own === undefined ? level : nameIn(own, chain)
      })
      return names.map((name) => name.replaceAll('>', '›')).join(BETWEEN)
    },
  }
}

/** A category's name in the first of these locales that has one, otherwise the last level of its path. */
export function nameIn({ path, names }: TreeCategory, chain: readonly string[]): string {
  for (const locale of chain) {
    const name = Object.hasOwn(names, locale) ? visible(names[locale]) : null
    if (name !== null) return name
  }
  return levelsOf(path).at(-1) ?? path
}

/** The levels of a path, without empty ones. */
export function levelsOf(path: string): string[] {
  return path
    .split('/')
    .map(trimmed)
    .filter((level) => level !== '')
}

/** A category with its parent. */
export interface PlacedCategory<C extends TreeCategory> {
  category: C
  above: C | null
}

/** All categories in tree order: siblings by position, then by path, each followed by its descendants. */
export function inTreeOrder<C extends TreeCategory & { position: number }>(
  categories: readonly C[],
  tree: CategoryTree<C>,
): PlacedCategory<C>[] {
  const sorted = categories
    .map((category) => ({ category, folded: tree.folded(category) }))
    .sort(
      (a, b) =>
        a.category.position - b.category.position ||
        (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : a.category.categoryId - b.category.categoryId),
    )
    .map(({ category }) => ({ category, above: tree.above(category) }))
  const below = Map.groupBy(sorted, ({ above }) => above)
  const ordered: PlacedCategory<C>[] = []
  const waiting = (below.get(null) ?? []).toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ordered.push(next)
    waiting.push(...(below.get(next.category) ?? []).toReversed())
  }
  return ordered
}
