import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ColumnSelect } from './column-select.tsx'
import type { FileColumn } from './columns.ts'
import classes from './import.module.css'
import { isObject } from '../../resources/is-object.ts'
import type { Doc } from './mapping.ts'
import { MemberList } from './member-list.tsx'

const TESTS = ['empty', 'filled', 'in', 'notIn', 'matches', 'above', 'below'] as const
type Test = (typeof TESTS)[number]

function testOf(condition: Doc): Test {
  if (condition['empty'] !== undefined) return condition['empty'] === false ? 'filled' : 'empty'
  return TESTS.find((test) => condition[test] !== undefined) ?? 'in'
}

/** The same condition with another test. */
function withTest(condition: Doc, test: Test): Doc {
  const { column, optional } = condition
  const base = { column, ...(optional === undefined ? {} : { optional }) }
  switch (test) {
    case 'empty':
      return { ...base, empty: true }
    case 'filled':
      return { ...base, empty: false }
    case 'in':
    case 'notIn':
      return { ...base, [test]: [''] }
    case 'matches':
      return { ...base, matches: '.' }
    case 'above':
    case 'below':
    default:
      return { ...base, [test]: '0' }
  }
}

/** One condition on a row: a column, a test, and a value to compare with. */
export function ConditionEditor({
  value,
  set,
  columns,
  label,
}: {
  label: string
  value: unknown
  set: (condition: Doc) => void
  columns: readonly FileColumn[]
}) {
  const { t } = useTranslation('import')
  const condition = isObject(value) ? value : {}
  const test = testOf(condition)
  const column = typeof condition['column'] === 'string' ? condition['column'] : ''
  return (
    <fieldset className={classes.condition}>
      <legend>{label}</legend>
      <ColumnSelect
        label={t('condition.column')}
        value={column}
        columns={columns}
        set={(name) => set({ ...condition, column: name ?? '' })}
      />
      <NativeSelect
        label={t('condition.test')}
        value={test}
        data={TESTS.map((name) => ({ value: name, label: t(`condition.${name}`) }))}
        onChange={(event) => set(withTest(condition, event.currentTarget.value as Test))}
      />
      {test === 'in' || test === 'notIn' ? (
        <Textarea
          label={t('condition.values')}
          autosize
          minRows={1}
          maxRows={6}
          value={Array.isArray(condition[test]) ? condition[test].join('\n') : ''}
          onChange={(event) => set({ ...condition, [test]: event.currentTarget.value.split('\n') })}
        />
      ) : null}
      {test === 'matches' || test === 'above' || test === 'below' ? (
        <TextInput
          label={t('condition.value')}
          dir="ltr"
          value={typeof condition[test] === 'string' ? condition[test] : ''}
          onChange={(event) => set({ ...condition, [test]: event.currentTarget.value })}
        />
      ) : null}
    </fieldset>
  )
}

/** Conditions that must all be met: a single one, or a list. */
export function ConditionList({
  value,
  set,
  columns,
  label,
}: {
  label: string
  value: unknown
  set: (conditions: unknown) => void
  columns: readonly FileColumn[]
}) {
  const { t } = useTranslation('import')
  const conditions: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return (
    <MemberList
      members={conditions}
      set={(next) => set(next.length === 1 ? next[0] : next)}
      least={1}
      removeLabel={(number) => t('condition.remove', { number })}
      addLabel={t('condition.and')}
      next={() => ({ column: columns[0]?.name ?? '', empty: false })}
    >
      {(condition, i, setCondition) => (
        <ConditionEditor
          label={conditions.length === 1 ? label : `${label} ${i + 1}`}
          value={condition}
          set={setCondition}
          columns={columns}
        />
      )}
    </MemberList>
  )
}
