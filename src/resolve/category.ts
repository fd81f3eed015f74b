import { categorySet } from './conditions.ts'
import type { CategoryInput, OfferInput, OverrideInput } from './inputs.ts'
import type { Found } from './sources.ts'
import { findName } from './text.ts'

/** Maps a supplier's folded path to the path of the account's category; null when no category names it. */
export type CategoryMap = (folded: string) => string | null

/**
 * Compiles the account's mapping of suppliers' paths. Of the mapped paths that equal a path or are above it, the
 * longest wins.
 */
export function compileCategories(categories: readonly CategoryInput[]): CategoryMap {
  const paths = new Map<string, string>()
  // should two categories name the same path, the older one gets it, whatever the order of the input
  for (const { path, supplierPaths } of [...categories].sort((a, b) => b.categoryId - a.categoryId)) {
    for (const folded of categorySet(supplierPaths)) if (folded !== '') paths.set(folded, path)
  }
  if (paths.size === 0) return () => null
  return (folded) => {
    for (let end = folded.length; end > 0; end = folded.lastIndexOf('/', end - 1)) {
      const path = paths.get(folded.slice(0, end))
      if (path !== undefined) return path
    }
    return null
  }
}

export interface FoundCategory extends Found<string> {
  /** As the source has it, before suppliers' paths are mapped. */
  stated: string
}

/**
 * The product's category: the owner's override, else the first supplier's path, mapped to the account's category if
 * there is one.
 */
export function findCategory(
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
  ownPath: (supplierPath: string) => string | null,
): FoundCategory | null {
  const found = findName('category', overrides, sources)
  if (found === null) return null
  const { value: stated, source } = found
  return { value: source.from === 'override' ? stated : (ownPath(stated) ?? stated), source, stated }
}
