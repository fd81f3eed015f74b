import type { RowGroup } from '../imports/row-groups.ts'

const KINDS = {
  'left-out': 'left out, because they meet',
  part: 'left out, because they are parts of other rows',
  'without-cost': 'without a cost; their products have no price',
}

/** Rows that were left out, or have no cost, in one line. */
export function rowGroupLine({ kind, condition, count, examples }: RowGroup): string {
  const shown = examples.map(({ line, cells }) => `line ${line} (${cells.join(' | ')})`).join(', ')
  return `${count} ${count === 1 ? 'row' : 'rows'} ${KINDS[kind]}${condition === null ? '' : ` ${JSON.stringify(condition)}`}: ${shown}${count > examples.length ? ', …' : ''}`
}
