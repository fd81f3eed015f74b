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
  /** Among those beside it; of a level that is no category, the lowest of what is below it. */
  position: number
  /** How many categories are below. */
  below: number
}

const fold = (path: string) => path.toLowerCase()

/** Every level in the order of the tree: by position, then by the reader's alphabet; what is below a level comes after it. */
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

/** The levels that are seen while only some are unfolded; with a text those that have it, and the levels above them. */
export function seenOf(nodes: readonly Node[], unfolded: ReadonlySet<string>, text: string): Node[] {
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

/** By what else than its path a category is found. */
const textsOf = ({ supplier_paths: paths, names, external_id: externalId }: Category) => [
  ...paths,
  ...Object.values(names ?? {}).filter((name) => name !== null),
  ...(externalId === null ? [] : [externalId]),
]

export const foldKey = ({ path }: Node) => fold(path)
