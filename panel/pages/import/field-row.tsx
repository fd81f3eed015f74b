import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SidePanel } from '../../components/dialog.tsx'
import { ColumnSelect } from './column-select.tsx'
import type { FileColumn } from './columns.ts'
import classes from './import.module.css'
import { columnOf, faultsAt, isMany, withColumn, type Fault } from './mapping.ts'
import { ListEditor, SourceEditor } from './source-editor.tsx'
import { useFieldName, useSourceWords } from './words.ts'

/** One field: its column, and a button for further options. */
export function FieldRow({
  field,
  source,
  isRequired,
  hasPreset,
  columns,
  faults,
  set,
}: {
  field: string
  source: unknown
  isRequired: boolean
  hasPreset: boolean
  columns: readonly FileColumn[]
  /** The faults of the whole mapping. */
  faults: readonly Fault[]
  set: (source: unknown) => void
}) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const sourceWords = useSourceWords()
  const [isOpen, setOpen] = useState(false)
  const own = faultsAt(faults, `fields.${field}`)
  const column = columnOf(source)
  const isAdjusted = typeof source === 'object' && source !== null && column !== undefined
  return (
    <div className={classes.field}>
      <ColumnSelect
        label={nameOf(field)}
        isRequired={isRequired}
        value={column}
        columns={columns}
        none={hasPreset && source === undefined ? t('form.ofPreset') : t('form.none')}
        other={source === undefined || source === null || column !== undefined ? undefined : sourceWords(source)}
        error={own.map(({ reason }) => reason).join('; ') || undefined}
        set={(name) => set(name === undefined ? undefined : withColumn(source, name))}
      />
      <Button
        variant="default"
        size="sm"
        aria-label={t(isAdjusted ? 'form.adjustedOf' : 'form.adjustOf', { name: nameOf(field) })}
        onClick={() => setOpen(true)}
        disabled={source === undefined && columns.length === 0}
      >
        {isAdjusted ? t('form.adjusted') : t('form.adjust')}
      </Button>
      {!isOpen ? null : (
        <SidePanel title={nameOf(field)} close={() => setOpen(false)}>
          {own.map(({ name, reason }) => (
            <p key={`${name} ${reason}`} className={classes.error}>
              {name.slice('fields.'.length)}: {reason}
            </p>
          ))}
          {isMany(field) ? (
            <ListEditor value={source} set={set} columns={columns} />
          ) : (
            <SourceEditor label={nameOf(field)} value={source ?? ''} set={set} columns={columns} />
          )}
        </SidePanel>
      )}
    </div>
  )
}
