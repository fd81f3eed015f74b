import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { columnsIn, fieldsOf, withMember, type Doc } from './mapping.ts'

/** Rows without a key or a cost, or with a negative cost, are often headings or sums. A button leaves them out. */
export function LeaveOut({
  field,
  value,
  doc,
  change,
}: {
  field: string
  /** The refused value; null: the cell was empty. */
  value: string | null
  doc: Doc
  change: (doc: Doc) => void
}) {
  const { t } = useTranslation('import')
  // with several columns, any of them may be filled
  const [column, ...others] = columnsIn(fieldsOf(doc)[field])
  const skip: unknown[] = Array.isArray(doc['skip']) ? doc['skip'] : []
  const isBelow = field === 'cost' && value !== null && Number(value) < 0
  const rule = isBelow ? { column, below: '0' } : { column, empty: true }
  if (column === undefined || others.length > 0 || (field !== 'sku' && field !== 'cost')) return null
  // the value has another fault, and the condition would not match it
  if (!isBelow && value !== null && value.trim() !== '') return null
  if (skip.some((one) => JSON.stringify(one) === JSON.stringify(rule))) return null
  return (
    <div>
      <Button variant="default" size="xs" onClick={() => change(withMember(doc, 'skip', [...skip, rule]))}>
        {t(isBelow ? 'problems.leaveOutBelow' : 'problems.leaveOut', { column })}
      </Button>
    </div>
  )
}
