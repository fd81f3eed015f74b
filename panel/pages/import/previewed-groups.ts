import type { LeftOutGroup, WithoutCost } from '../../runs/row-groups.tsx'
import { columnsOf } from './columns.ts'
import { columnsIn, fieldsOf, type Doc } from './mapping.ts'
import type { PreviewedRow } from './preview-file.ts'

const EXAMPLES = 2
const CELLS = 4

/** The same of the rows of a preview as a run tells of its whole file. */
export function previewedGroups(
  rows: readonly PreviewedRow[],
  doc: Doc,
): { leftOut: LeftOutGroup[]; withoutCost: WithoutCost | null } {
  const groups = new Map<string, LeftOutGroup>()
  const unpriced: WithoutCost = { columns: columnsIn(fieldsOf(doc)['cost']), count: 0, examples: [] }
  const add = (group: LeftOutGroup | WithoutCost, { line, row }: PreviewedRow) => {
    group.count++
    if (group.examples.length >= EXAMPLES) return
    const cells = columnsOf([row]).flatMap(({ samples }) => samples.slice(0, 1))
    group.examples.push({ line, cells: cells.slice(0, CELLS) })
  }
  for (const previewed of rows) {
    if (previewed.offer !== null && previewed.offer['cost'] === null) add(unpriced, previewed)
    if (!previewed.is_left_out) continue
    const { condition } = previewed
    const key = JSON.stringify(condition)
    const group = groups.get(key) ?? { condition, count: 0, examples: [] }
    groups.set(key, group)
    add(group, previewed)
  }
  return {
    leftOut: [...groups.values()].toSorted((a, b) => b.count - a.count),
    withoutCost: unpriced.count === 0 ? null : unpriced,
  }
}
