import { useTranslation } from 'react-i18next'
import { Section } from '../../components/section.tsx'
import { columnsOf } from './columns.ts'
import classes from './import.module.css'
import { columnsIn, fieldsOf, isObject, type Doc } from './mapping.ts'
import { LeaveOut } from './leave-out.tsx'
import type { PreviewedRow } from './preview-file.ts'

/** The line of a row, and what is in its first cells. */
export interface RowExample {
  line: number
  cells: string[]
}

/** Rows that are left out by one condition of the mapping; null: they are parts of other rows. */
export interface LeftOutGroup {
  condition: Doc | null
  count: number
  examples: RowExample[]
}

/** Rows that are read as offers without a cost. */
export interface WithoutCost {
  columns: string[]
  count: number
  examples: RowExample[]
}

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

/** Rows that are left out, by what leaves them out, and offers without a cost, which are often headings. */
export function RowGroups({
  leftOut,
  withoutCost,
  doc,
  change,
}: {
  leftOut: readonly LeftOutGroup[]
  withoutCost: WithoutCost | null
  /** Given: rows without a cost can be left out from now on. */
  doc: Doc | null
  change: (doc: Doc) => void
}) {
  const { t } = useTranslation('import')
  const words = useConditionWords()
  if (leftOut.length === 0 && withoutCost === null) return null
  return (
    <Section title={t('rows.title')} note={t('rows.note')}>
      <ul className={classes.groups}>
        {withoutCost === null ? null : (
          <li>
            <strong>{t('problems.rows', { count: withoutCost.count })}</strong> {t('rows.withoutCost')}{' '}
            <Examples of={withoutCost} />
            {doc === null ? null : <LeaveOut field="cost" value={null} doc={doc} change={change} />}
          </li>
        )}
        {leftOut.map((group) => (
          <li key={JSON.stringify(group.condition)}>
            <strong>{t('problems.rows', { count: group.count })}</strong>{' '}
            {group.condition === null ? t('rows.parts') : t('rows.leftOut', { condition: words(group.condition) })}{' '}
            <Examples of={group} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Examples({ of: { count, examples } }: { of: { count: number; examples: readonly RowExample[] } }) {
  const { t } = useTranslation('import')
  return (
    <span className={classes.quiet} dir="auto">
      ({examples.map(({ line, cells }) => [t('line', { line }), cells.join(' | ')].join(': ')).join('; ')}
      {count > examples.length ? '; …' : ''})
    </span>
  )
}

const VALUES_SHOWN = 5

/** A condition on a row in words. */
function useConditionWords(): (condition: Doc) => string {
  const { t } = useTranslation('import')
  return (condition) => {
    const column = t('rows.column', { column: String(condition['column']) })
    if (condition['empty'] !== undefined)
      return `${column} ${t(condition['empty'] === false ? 'condition.filled' : 'condition.empty')}`
    const test = (['in', 'notIn', 'matches', 'above', 'below'] as const).find((name) => name in condition)
    if (test === undefined || !isObject(condition)) return column
    const values = [condition[test]].flat().map((value) => (value === '' ? t('rows.nothing') : String(value)))
    const shown = values.slice(0, VALUES_SHOWN).join(', ')
    return `${column} ${t(`condition.${test}`)} ${shown}${values.length > VALUES_SHOWN ? ', …' : ''}`
  }
}
