import { foldKey, type Node } from './tree.ts'

// Moving a category in the tree: the writes that are needed. A category's place is determined by its path, and among its siblings by
// its position.

/** A write to one category. */
export interface Step {
  id: number
  body: { path?: string; position?: number }
}

/** The target of a move: the parent's path (null: the top level), and the sibling before which it is placed (null: last). */
export interface Place {
  parent: string | null
  before: Node | null
}

export type Direction = 'up' | 'down' | 'in' | 'out'

const aboveOf = (path: string) => {
  const end = path.lastIndexOf('/')
  return end < 0 ? null : path.slice(0, end)
}
const isSame = (a: string | null, b: string | null) => a?.toLowerCase() === b?.toLowerCase()

/**
 * The direct children of a level, in their order.
 * @param nodes in the order of the tree
 */
const childrenOf = (nodes: readonly Node[], parent: string | null) =>
  nodes.filter(({ path }) => isSame(aboveOf(path), parent))

/** The target of an arrow key: up or down among the siblings, into the previous sibling, or out, after the parent. */
export function placeInDirection(nodes: readonly Node[], moved: Node, direction: Direction): Place | null {
  const parent = aboveOf(moved.path)
  const siblings = childrenOf(nodes, parent)
  const at = siblings.findIndex((node) => foldKey(node) === foldKey(moved))
  if (direction === 'up') return at <= 0 ? null : { parent, before: siblings[at - 1] ?? null }
  if (direction === 'down') return at >= siblings.length - 1 ? null : { parent, before: siblings[at + 2] ?? null }
  if (direction === 'in') {
    const into = siblings[at - 1]
    return into === undefined ? null : { parent: into.path, before: null }
  }
  if (parent === null) return null
  const outside = childrenOf(nodes, aboveOf(parent))
  const place = outside.findIndex(({ path }) => isSame(path, parent))
  return { parent: aboveOf(parent), before: outside[place + 1] ?? null }
}

/** The target of dropping a category on a row: before it, into it, or after it. */
export function placeAt(nodes: readonly Node[], target: Node, part: 'before' | 'into' | 'behind'): Place {
  if (part === 'into') return { parent: target.path, before: null }
  const parent = aboveOf(target.path)
  if (part === 'before') return { parent, before: target }
  const siblings = childrenOf(nodes, parent)
  return { parent, before: siblings[siblings.indexOf(target) + 1] ?? null }
}

/**
 * The writes that move a category: its own path and position, and positions of siblings only if no number is free between its neighbours.
 * @returns null if the target is inside the category; empty if it is there already
 */
export function stepsTo(nodes: readonly Node[], moved: Node, { parent, before }: Place): Step[] | null {
  const { category } = moved
  if (category === null) return null
  if (parent !== null && `${parent.toLowerCase()}/`.startsWith(`${foldKey(moved)}/`)) return null
  const present = childrenOf(nodes, parent)
  const others = present.filter((node) => foldKey(node) !== foldKey(moved))
  const isThere = before !== null && foldKey(before) === foldKey(moved)
  const own = present.findIndex((node) => foldKey(node) === foldKey(moved))
  const next = isThere ? present[own + 1] : before
  const at =
    next === null || next === undefined ? others.length : others.findIndex((node) => foldKey(node) === foldKey(next))
  if (at < 0 || own === at) return at < 0 ? null : []
  const path = parent === null ? moved.name : `${parent}/${moved.name}`
  const place = isSame(path, category.path) ? {} : { path }
  const [low, high] = [others[at - 1]?.position, others[at]?.position]
  const free =
    low === undefined ? (high === undefined ? 0 : high - 1) : high === undefined || high - low > 1 ? low + 1 : null
  if (free !== null)
    return [stepOf(moved, { ...place, ...(free === category.position ? {} : { position: free }) })].flat()
  // all siblings are numbered anew
  const order = [...others.slice(0, at), moved, ...others.slice(at)]
  return order.flatMap((node, i) => {
    const position = node.category?.position === i ? {} : { position: i }
    return stepOf(node, node === moved ? { ...place, ...position } : position)
  })
}

function stepOf({ category }: Node, body: Step['body']): Step[] {
  return category === null || Object.keys(body).length === 0 ? [] : [{ id: category.id, body }]
}
