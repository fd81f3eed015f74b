import { must } from '../../platform/must.ts'

// Joins suppliers' statements into variant groups; pure. docs/decisions/159-groups-are-joined-by-their-products.md explains the method.

/** A supplier's statement that a product belongs to the group with this key. */
export interface Statement {
  productId: number
  supplierId: number
  key: string
}

/** A statement and its present group; null: a new statement. */
export interface GroupedStatement extends Statement {
  groupId: number | null
}

/**
 * Groups statements: those of one product, and those of one supplier and key, belong together, transitively. A group keeps the id that most of
 * its statements had; of groups that merge, the lowest id stays; of the parts of a group that is split, the largest keeps the id.
 * @param fresh returns an id that no group has had. @returns the group id of each statement, in the order of `statements`.
 */
export function joinGroups(statements: readonly GroupedStatement[], fresh: () => number): number[] {
  const roots = statements.map((_, i) => i)
  const rootOf = (at: number): number => {
    let root = at
    while (must(roots[root]) !== root) root = must(roots[root])
    for (let i = at; i !== root;) {
      const next = must(roots[i])
      roots[i] = root
      i = next
    }
    return root
  }
  const seen = new Map<string, number>()
  const join = (name: string, at: number) => {
    const other = seen.get(name)
    if (other === undefined) {
      seen.set(name, at)
      return
    }
    const [a, b] = [rootOf(at), rootOf(other)]
    roots[Math.max(a, b)] = Math.min(a, b)
  }
  for (const [i, { productId, supplierId, key }] of statements.entries()) {
    join(`product ${productId}`, i)
    join(`${supplierId} ${key}`, i)
  }
  // by former group id, the number of statements in each new group
  const claims = new Map<number, Map<number, number>>()
  for (const [i, { groupId }] of statements.entries()) {
    if (groupId === null) continue
    const counts = claims.get(groupId) ?? new Map<number, number>()
    const root = rootOf(i)
    counts.set(root, (counts.get(root) ?? 0) + 1)
    claims.set(groupId, counts)
  }
  const ids = new Map<number, number>()
  for (const [groupId, counts] of [...claims].sort(([a], [b]) => a - b)) {
    const [part] = [...counts].filter(([root]) => !ids.has(root)).sort(([a, x], [b, y]) => y - x || a - b)
    if (part !== undefined) ids.set(part[0], groupId)
  }
  return statements.map((_, i) => {
    const root = rootOf(i)
    const id = ids.get(root) ?? fresh()
    ids.set(root, id)
    return id
  })
}
