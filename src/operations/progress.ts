/** Everything that waits to be shelved in an account. */
export interface Waiting {
  /** The account's first and last product id. */
  range: { first: number; last: number }
  /** Open parts of sweeps. */
  sweeps: readonly { sweepId: number; nextProductId: number; endProductId: number }[]
  /** Number of marks up to each operation's position, by operation id. */
  marks: ReadonlyMap<number, number>
}

/**
 * How many of `total` products are up to date. Two estimates, of which the smaller counts: the share of the account's product ids that
 * all sweeps up to the operation's position have passed, and the products without a mark.
 */
export function progressOf(
  total: number,
  operation: { operationId: number; sweepId: number },
  { range, sweeps, marks }: Waiting,
): number {
  let left = 0
  // intervals of several sweeps may overlap; each product counts once
  let counted = range.first - 1
  const upTo = sweeps.filter(({ sweepId }) => sweepId <= operation.sweepId)
  for (const { nextProductId, endProductId } of upTo.toSorted((a, b) => a.nextProductId - b.nextProductId)) {
    const end = Math.min(endProductId, range.last)
    left += Math.max(0, end - Math.max(nextProductId, counted))
    counted = Math.max(counted, end)
  }
  const swept = Math.floor(total * (1 - left / (range.last - range.first + 1)))
  return Math.max(0, Math.min(swept, total - (marks.get(operation.operationId) ?? 0)))
}
