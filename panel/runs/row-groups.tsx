import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../components/page.tsx'
import { useFormats } from '../words/format.ts'
import classes from './row-groups.module.css'

/** A row as an example: its line number and its first cells. */
export interface RowExample {
  line: number
  cells: string[]
}

/** Rows that are left out for the same reason; of the kind `condition`, by a condition of the mapping. */
export interface LeftOutGroup {
  kind: 'condition' | 'part' | 'sum' | 'repeated_header' | 'note'
  condition: Readonly<Record<string, unknown>> | null
  count: number
  examples: RowExample[]
}

/** Rows that are read as offers without a cost. */
export interface WithoutCost {
  columns: string[]
  count: number
  examples: RowExample[]
}

const KIND_WORDS = {
  condition: 'parts',
  part: 'parts',
  sum: 'sums',
  repeated_header: 'headers',
  note: 'notes',
} as const

/** Rows that are left out, grouped by reason, and offers without a cost, which are often headings. */
export function RowGroups({
  leftOut,
  withoutCost,
  leaveOut,
}: {
  leftOut: readonly LeftOutGroup[]
  withoutCost: WithoutCost | null
  /** The action that leaves out rows without a cost, if it is possible. */
  leaveOut?: ReactNode
}) {
  const { t } = useTranslation('runs')
  const words = useConditionWords()
  if (leftOut.length === 0 && withoutCost === null) return null
  return (
    <Section title={t('rows.title')} note={t('rows.note')}>
      <ul className={classes.groups}>
        {withoutCost === null ? null : (
          <li>
            <strong>{t('rows.count', { count: withoutCost.count })}</strong> {t('rows.withoutCost')}{' '}
            <Examples of={withoutCost} />
            {leaveOut}
          </li>
        )}
        {leftOut.map((group) => (
          <li key={group.condition === null ? group.kind : JSON.stringify(group.condition)}>
            <strong>{t('rows.count', { count: group.count })}</strong>{' '}
            {group.condition === null
              ? t(`rows.${KIND_WORDS[group.kind]}`)
              : t('rows.leftOut', { condition: words(group.condition) })}{' '}
            <Examples of={group} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Examples({ of: { count, examples } }: { of: { count: number; examples: readonly RowExample[] } }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  return (
    <span className={classes.quiet} dir="auto">
      (
      {examples
        .map(({ line, cells }) => [t('refusals.line', { line: format.number(line) }), cells.join(' | ')].join(': '))
        .join('; ')}
      {count > examples.length ? '; …' : ''})
    </span>
  )
}

const VALUES_SHOWN = 5

/** A condition on a row in words. */
function useConditionWords(): (condition: Readonly<Record<string, unknown>>) => string {
  const { t } = useTranslation('runs')
  return (condition) => {
    const column = t('rows.column', { column: String(condition['column']) })
    if (condition['empty'] !== undefined)
      return `${column} ${t(condition['empty'] === false ? 'rows.tests.filled' : 'rows.tests.empty')}`
    const test = (['in', 'notIn', 'matches', 'above', 'below'] as const).find((name) => name in condition)
    if (test === undefined) return column
    const values = [condition[test]].flat().map((value) => (value === '' ? t('rows.nothing') : String(value)))
    const shown = values.slice(0, VALUES_SHOWN).join(', ')
    return `${column} ${t(`rows.tests.${test}`)} ${shown}${values.length > VALUES_SHOWN ? ', …' : ''}`
  }
}
