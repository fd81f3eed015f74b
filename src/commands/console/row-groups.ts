import type { RowGroup } from '../../imports/row-groups.ts'
import type { RefusalGroup } from '../../imports/runs/runs.sql.ts'

const KINDS = {
  'left-out': 'left out, because they meet',
  part: 'left out, because they are parts of other rows',
  sum: 'left out, because they are sums and no articles',
  header: 'left out, because they repeat the names of the columns',
  note: 'left out, because they are notes and no articles',
  'without-cost': 'without a cost; their products have no price',
}

/** Formats a group of rows that were left out, or have no cost, as one line. */
export function rowGroupLine({ kind, condition, count, examples }: RowGroup): string {
  const shown = examples.map(({ line, cells }) => `line ${line} (${cells.join(' | ')})`).join(', ')
  return `${count} ${count === 1 ? 'row' : 'rows'} ${KINDS[kind]}${condition === null ? '' : ` ${JSON.stringify(condition)}`}: ${shown}${count > examples.length ? ', …' : ''}`
}

/** Formats refused rows of one field and reason as one line. */
export function refusalGroupLine({ field, reason, count, examples }: RefusalGroup): string {
  const where = examples.map((one) => `line ${one.line ?? '?'}${one.sku === null ? '' : ` (${one.sku})`}`)
  return `${count} x ${field} ${reason}: ${where.join(', ')}${count > examples.length ? ', …' : ''}`
}
