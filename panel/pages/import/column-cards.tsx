import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAPPED_ALTS, MAPPED_FIELDS } from '../../../contract/product-fields.ts'
import { ChevronLeftIcon, ChevronRightIcon } from '../../design/icons.tsx'
import type { FileColumn } from './columns.ts'
import { MoreColumns, shownColumns } from './column-table.tsx'
import classes from './import.module.css'
import { columnOf, fieldOfColumn, fieldsOf, isLocalText, isMany, reads, withColumnAs, type Doc } from './mapping.ts'
import { useFieldName } from './words.ts'

const NONE = ''
const OTHER = '\u0000'

/** The file's columns on a phone, one at a time: the field of each, and its first values. */
export function ColumnCards({
  columns,
  doc,
  change,
}: {
  columns: readonly FileColumn[]
  doc: Doc
  change: (doc: Doc) => void
}) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const [at, setAt] = useState(0)
  const shown = shownColumns(columns)
  const index = Math.min(at, shown.length - 1)
  const column = shown[index]
  if (column === undefined) return <p className={classes.quiet}>{t('columns.none')}</p>
  const { name, samples } = column
  const fields = fieldsOf(doc)
  const uses = Object.keys(fields).filter((field) => reads(fields[field], name))
  const own = fieldOfColumn(doc, name)
  const choices = [...MAPPED_FIELDS, MAPPED_ALTS, ...Object.keys(fields).filter(isLocalText), 'attributes']
  // a field with another column is labelled with it, because choosing the field takes it from that column
  const option = (field: string) => {
    const other = isMany(field) ? undefined : columnOf(fields[field])
    return {
      value: field,
      label: other === undefined || other === name ? nameOf(field) : `${nameOf(field)} – ${other}`,
    }
  }
  return (
    <>
      <div className={classes.pager}>
        <Button
          variant="default"
          aria-label={t('columns.previous')}
          disabled={index === 0}
          onClick={() => setAt(index - 1)}
        >
          <ChevronLeftIcon size={16} />
        </Button>
        <span aria-live="polite">{t('columns.at', { number: index + 1, total: shown.length })}</span>
        <Button
          variant="default"
          aria-label={t('columns.next')}
          disabled={index === shown.length - 1}
          onClick={() => setAt(index + 1)}
        >
          <ChevronRightIcon size={16} />
        </Button>
      </div>
      <h3 className={classes.cardName} dir="auto">
        {name}
      </h3>
      <NativeSelect
        label={t('columns.becomes')}
        value={own ?? (uses.length === 0 ? NONE : OTHER)}
        data={[
          { value: NONE, label: t('columns.unused') },
          // fields made of several columns or by steps are kept as they are, and edited below
          ...(own === undefined && uses.length > 0 ? [{ value: OTHER, label: uses.map(nameOf).join(', ') }] : []),
          ...(own === undefined || choices.includes(own) ? [] : [{ value: own, label: nameOf(own) }]),
          ...choices.map(option),
        ]}
        onChange={(event) => {
          const field = event.currentTarget.value
          if (field !== OTHER) change(withColumnAs(doc, name, field === NONE ? undefined : field))
        }}
      />
      <p className={classes.samplesOf}>{t('columns.table')}</p>
      {samples.length === 0 ? (
        <p className={classes.quiet}>–</p>
      ) : (
        <ul className={classes.samples}>
          {samples.map((sample) => (
            <li key={sample} dir="auto">
              {sample}
            </li>
          ))}
        </ul>
      )}
      <MoreColumns columns={columns} />
    </>
  )
}
