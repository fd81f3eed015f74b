import { foldCategory } from './conditions.ts'
import type { CategoryInput, OfferInput, OverrideInput } from './inputs.ts'
import type { Found } from './sources.ts'
import { findName } from './text.ts'

/** The path of the own category that a supplier's folded path stands for; null where it stands for none. */
export type CategoryMap = (folded: string) => string | null

/** Makes the account's map of suppliers' paths: the longest that is the path itself or lies above it counts. */
export function compileCategories(categories: readonly CategoryInput[]): CategoryMap {
  const paths = new Map<string, string>()
  // a path that stood at two categories would go to the older one, in whatever order they come
  for (const { path, supplierPaths } of [...categories].sort((a, b) => b.categoryId - a.categoryId)) {
    for (const stated of supplierPaths) {
      const folded = foldCategory(stated)
      if (folded !== '') paths.set(folded, path)
    }
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
  /** As the source states it, before suppliers' paths are mapped. */
  stated: string
}

/** The product's category: the owner's override, else the first supplier's, as the own category it stands for if there is one. */
export function findCategory(
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
  ownPath: (stated: string) => string | null,
): FoundCategory | null {
  const found = findName('category', overrides, sources)
  if (found === null) return null
  const { value: stated, source } = found
  return { value: source.from === 'override' ? stated : (ownPath(stated) ?? stated), source, stated }
}
