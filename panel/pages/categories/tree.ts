import type { Resource } from '../../api/resources.ts'

// Categories as a tree: their paths are levels joined by "/".

export type Category = Resource<'categories'>

export interface Node {
  /** The path with this level and those above. */
  path: string
  name: string
  depth: number
  /** Null: there are only categories below. */
  category: Category | null
  /** How many categories are below. */
  below: number
}

const fold = (path: string) => path.toLowerCase()

/** Every level in the order of the tree: names by the reader's alphabet, what is below a level after it. */
export function treeOf(categories: readonly Category[], compare: (a: string, b: string) => number): Node[] {
  const nodes = new Map<string, Node>()
  for (const category of categories) {
    const levels = category.path.split('/')
    levels.forEach((name, depth) => {
      const path = levels.slice(0, depth + 1).join('/')
      const key = fold(path)
      const known = nodes.get(key) ?? { path, name, depth, category: null, below: 0 }
      if (depth === levels.length - 1) known.category = category
      else known.below++
      nodes.set(key, known)
    })
  }
  const keysOf = ({ path }: Node) => path.split('/')
  return [...nodes.values()].sort((a, b) => {
    const [left, right] = [keysOf(a), keysOf(b)]
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      const order = compare(left[i] ?? '', right[i] ?? '')
      if (order !== 0) return order
    }
    return left.length - right.length
  })
}

/** The levels that are seen while only some are unfolded; with a text those that have it, and the levels above them. */
export function seenOf(nodes: readonly Node[], unfolded: ReadonlySet<string>, text: string): Node[] {
  const parentOf = (path: string) => path.split('/').slice(0, -1)
  if (text !== '') {
    const found = nodes.filter(
      ({ path, category }) =>
        fold(path).includes(fold(text)) ||
        (category?.supplier_paths.some((mapped) => fold(mapped).includes(fold(text))) ?? false),
    )
    const shown = new Set(
      found.flatMap(({ path }) => path.split('/').map((_, i, all) => fold(all.slice(0, i + 1).join('/')))),
    )
    return nodes.filter(({ path }) => shown.has(fold(path)))
  }
  return nodes.filter(({ path }) =>
    parentOf(path).every((_, i, levels) => unfolded.has(fold(levels.slice(0, i + 1).join('/')))),
  )
}

export const foldKey = ({ path }: Node) => fold(path)
