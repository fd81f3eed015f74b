import type { ContentBody } from '../../../contract/schemas.ts'
import { categoryTree, type CategoryTree } from './category-tree.ts'
import { categorySet, foldCategory } from '../rules/conditions.ts'
import type { CategoryInput, OfferInput, OverrideInput } from '../inputs.ts'
import type { Found } from '../sourcing/sources.ts'
import { findName } from './text.ts'

/** An entry of `categories` in a payload. */
type PayloadCategory = NonNullable<ContentBody['categories']>[number]

/** What is looked for among the account's categories. Paths are folded; null: no category. */
export interface OwnCategories {
  tree: CategoryTree<CategoryInput>
  /** That a supplier's path is mapped to. */
  mapped(folded: string): CategoryInput | null
  /** That has this path itself. */
  named(folded: string): CategoryInput | null
  /** As a store shows it. @param chain the locales in which names are looked for. */
  shown(category: CategoryInput, chain: readonly string[]): PayloadCategory
}

/**
 * Compiles the account's categories and its mapping of suppliers' paths, in small steps: there may be 10,000 categories, with 50,000 suppliers'
 * paths. Of the mapped paths that equal a path or are above it, the longest wins.
 */
export function* compilingCategories(categories: readonly CategoryInput[]): Generator<void, OwnCategories, void> {
  const byMapped = new Map<string, CategoryInput>()
  // should two categories name the same path, the older one gets it, whatever the order of the input
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

/** Finds categories by paths as they are written. */
export interface CategoryFinder {
  /** That a supplier's path is mapped to. */
  mapped(path: string): CategoryInput | null
  /** That has this path itself. */
  named(path: string): CategoryInput | null
}

export interface FoundCategory extends Found<string> {
  /** As the source has it, before suppliers' paths are mapped. */
  stated: string
  /** The account's category that the product is in: mapped to, or with the path of the override. */
  own: CategoryInput | null
}

/**
 * The product's category: the owner's override, else the first supplier's path, mapped to the account's category if
 * there is one. A supplier's path that is not mapped is none of the account's, whatever it is called.
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
