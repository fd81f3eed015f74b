import type { ContentBody } from '../../../contract/schemas.ts'
import { categoryTree, type CategoryTree } from './category-tree.ts'
import { categorySet, foldCategory } from '../rules/conditions.ts'
import type { CategoryInput, OfferInput, OverrideInput } from '../inputs.ts'
import type { Found } from '../sourcing/sources.ts'
import { findName } from './text.ts'

/** An entry of `categories` in a payload. */
type PayloadCategory = NonNullable<ContentBody['categories']>[number]

/** Look-ups among the account's categories by folded path; null: no category. */
export interface OwnCategories {
  tree: CategoryTree<CategoryInput>
  /** The category that a supplier's path is mapped to. */
  mapped(folded: string): CategoryInput | null
  /** The category with exactly this path. */
  named(folded: string): CategoryInput | null
  /** The payload entry of a category in a store. @param chain locales in which names are looked for, in order. */
  shown(category: CategoryInput, chain: readonly string[]): PayloadCategory
}

/**
 * Compiles the account's categories and its mapping of suppliers' paths, in small steps: there may be 10,000 categories with 50,000 supplier
 * paths. A path is mapped by the longest mapped path that equals it or is above it.
 */
export function* compilingCategories(categories: readonly CategoryInput[]): Generator<void, OwnCategories, void> {
  const byMapped = new Map<string, CategoryInput>()
  // if two categories name the same supplier path, the one with the lower id gets it, whatever the order of the input
  for (const category of [...categories].sort((a, b) => b.categoryId - a.categoryId)) {
    for (const folded of categorySet(category.supplierPaths)) if (folded !== '') byMapped.set(folded, category)
    yield
  }
  const paths: string[] = []
  for (const { path } of categories) {
    paths.push(foldCategory(path))
    yield
  }
  const tree = categoryTree(categories, paths)
  yield
  return {
    tree,
    mapped(folded) {
      if (byMapped.size === 0) return null
      for (let end = folded.length; end > 0; end = folded.lastIndexOf('/', end - 1)) {
        const category = byMapped.get(folded.slice(0, end))
        if (category !== undefined) return category
      }
      return null
    },
    named: (folded) => tree.find(folded),
    shown: (category, chain) => ({
      id: category.categoryId,
      path: tree.shownPath(category, chain),
      external_id: category.externalId,
    }),
  }
}

/** Look-ups among the account's categories by unfolded path. */
export interface CategoryFinder {
  /** The category that a supplier's path is mapped to. */
  mapped(path: string): CategoryInput | null
  /** The category with exactly this path. */
  named(path: string): CategoryInput | null
}

export interface FoundCategory extends Found<string> {
  /** The source's path, before it is mapped. */
  stated: string
  /** The account's category of the product: the one that a supplier's path is mapped to, or the one with the override's path. */
  own: CategoryInput | null
}

/**
 * The product's category: the owner's override, otherwise the first supplier's path, mapped to the account's category if there is one. An
 * unmapped supplier path is not a category of the account, even if it has the same name.
 */
export function findCategory(
  overrides: readonly OverrideInput[],
  sources: readonly OfferInput[],
  finder: CategoryFinder,
): FoundCategory | null {
  const found = findName('category', overrides, sources)
  if (found === null) return null
  const { value: stated, source } = found
  if (source.from === 'override') return { value: stated, source, stated, own: finder.named(stated) }
  const own = finder.mapped(stated)
  return { value: own?.path ?? stated, source, stated, own }
}
