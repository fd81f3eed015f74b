import type { ListedCategory } from '@shelfwire/client'
import type { NameRow } from './rows.ts'

/** A category with its names and its descendants. */
export interface Named {
  id: number
  parentId: number | null
  names: NameRow[]
  /** Its own ID and those of all its descendants. */
  withBelow: number[]
}

/** The categories in their order, parents before their children. @param lists by language; the first list that has a category decides its parent */
export function categoryTree(lists: readonly { language: string; categories: readonly ListedCategory[] }[]): Named[] {
  const tree = new Map<number, Named>()
  for (const { language, categories } of lists)
    for (const { id, parent_id: parentId, name } of categories) {
      const named = tree.get(id) ?? { id, parentId, names: [], withBelow: [id] }
      tree.set(id, named)
      named.names.push({ languageCode: language, name })
    }
  // an account may have ten thousand categories: each is added only to its ancestors, not compared with all others
  for (const { id, parentId } of tree.values())
    for (let above = parentId; above !== null;) {
      const named = tree.get(above)
      named?.withBelow.push(id)
      above = named?.parentId ?? null
    }
  return [...tree.values()]
}
