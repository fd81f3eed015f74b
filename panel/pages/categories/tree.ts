import type { Resource } from '../../api/resources.ts'

// Categories as a tree: paths are levels joined by "/".

export type Category = Resource<'categories'>

export interface Node {
  /** The path of this level. */
  path: string
  name: string
  depth: number
  /** null: a level that is not a category, but has categories below. */
  category: Category | null
  /** The order among siblings; for a level that is not a category, the lowest position below it. */
  position: number
  /** The number of categories below. */
  below: number
}

const fold = (path: string) => path.toLowerCase()

/**
 * All levels in the order of the tree: by position, then alphabetically in the reader's language, each followed by its
 * descendants.
 */
export function treeOf(categories: readonly Category[], compare: (a: string, b: string) => number): Node[] {
  const nodes = new Map<string, Node>()
  const below = new Map<string, Node[]>()
  for (const category of categories) {
    const levels = category.path.split('/')
    levels.forEach((name, depth) => {
      const path = levels.slice(0, depth + 1).join('/')
      const key = fold(path)
      let known = nodes.get(key)
      if (known === undefined) {
        known = { path, name, depth, category: null, position: category.position, below: 0 }
        nodes.set(key, known)
        const parent = fold(levels.slice(0, depth).join('/'))
        below.set(parent, [...(below.get(parent) ?? []), known])
      }
      if (depth === levels.length - 1) Object.assign(known, { category, path, name, position: category.position })
      else {
        known.below++
        if (known.category === null) known.position = Math.min(known.position, category.position)
      }
    })
  }
  const ordered: Node[] = []
  const add = (parent: string) => {
    const children = below.get(parent) ?? []
    for (const node of children.sort((x, y) => x.position - y.position || compare(x.name, y.name))) {
      ordered.push(node)
      add(fold(node.path))
    }
  }
  add('')
  return ordered
}

/**
 * The visible levels: those whose ancestors are unfolded. With a text, instead, the levels that match it and their
 * ancestors.
 */
export function visibleNodes(nodes: readonly Node[], unfolded: ReadonlySet<string>, text: string): Node[] {
  const parentOf = (path: string) => path.split('/').slice(0, -1)
  if (text !== '') {
    const found = nodes.filter(
      ({ path, category }) =>
        fold(path).includes(fold(text)) ||
        (category !== null && textsOf(category).some((value) => fold(value).includes(fold(text)))),
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

/** Texts by which a category is found besides its path. */
const textsOf = ({ supplier_paths: paths, names, external_id: externalId }: Category) => [
  ...paths,
  ...Object.values(names ?? {}).filter((name) => name !== null),
  ...(externalId === null ? [] : [externalId]),
]

export const foldKey = ({ path }: Node) => fold(path)
