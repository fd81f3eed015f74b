import type { AccountTable } from './account-tables.sql.ts'

/**
 * Sorts tables into an order in which their rows can be deleted: a table comes after all that refer to it. Tables that could come next are taken by
 * name, so that two processes delete in the same order.
 * @throws Error when tables refer to each other in a circle
 */
export function deletionOrder(tables: readonly AccountTable[]): AccountTable[] {
  const left = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const ordered: AccountTable[] = []
  while (left.length > 0) {
    const free = left.findIndex(
      ({ name }) => !left.some((other) => other.name !== name && other.refersTo.includes(name)),
    )
    if (free < 0) throw new Error(`tables refer to each other: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...left.splice(free, 1))
  }
  return ordered
}
