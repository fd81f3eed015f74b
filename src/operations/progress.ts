/** What waits to be shelved in an account. */
export interface Waiting {
  /** Its first and last product id. */
  range: { first: number; last: number }
  /** Parts of sweeps. */
  sweeps: readonly { sweepId: number; nextProductId: number; endProductId: number }[]
  /** Marks up to an operation's position, by operation. */
  marks: ReadonlyMap<number, number>
}

/**
 * How many of `total` products are up to date, by the slower of two: the sweep up to the operation's position that is
 * furthest behind, as its share of the account's product ids, and the marks that are left.
 */
export function progressOf(
  total: number,
  operation: { operationId: number; sweepId: number },
  { range, sweeps, marks }: Waiting,
): number {
  const span = range.last - range.first + 1
  const behind = new Map<number, number>()
  for (const { sweepId, nextProductId, endProductId } of sweeps) {
    if (sweepId > operation.sweepId) continue
    const left = Math.max(0, Math.min(endProductId, range.last) - Math.max(nextProductId, range.first - 1))
    behind.set(sweepId, (behind.get(sweepId) ?? 0) + left)
  }
  const swept = Math.floor(total * (1 - Math.max(0, ...behind.values()) / span))
  return Math.max(0, Math.min(swept, total - (marks.get(operation.operationId) ?? 0)))
}
