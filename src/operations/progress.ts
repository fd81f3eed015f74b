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
 * How many of `total` products are up to date: the products that all sweeps up to the operation's position have
 * passed, as a share of the account's product ids, or those without a mark, if these are fewer.
 */
export function progressOf(
  total: number,
  operation: { operationId: number; sweepId: number },
  { range, sweeps, marks }: Waiting,
): number {
  let left = 0
  // a product that several sweeps have left waits once
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
