import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAPPED_FIELDS, TEXT_FIELDS } from '../../../contract/product-fields.ts'
import { CodePicker } from '../../components/code-picker.tsx'
import { Section } from '../../components/page.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { Unsaved } from '../../components/unsaved.ts'
import { Attributes } from './attributes.tsx'
import { ColumnSelect } from './column-select.tsx'
import type { FileColumn } from './columns.ts'
import classes from './import.module.css'
import {
  columnOf,
  faultsAt,
  fieldsOf,
  isLocalText,
  isMany,
  withColumn,
  withField,
  type Doc,
  type Fault,
} from './mapping.ts'
import type { PriceColumn } from './preview-file.ts'
import { SellingPrice } from './selling-price.tsx'
import { ListEditor, SourceEditor } from './source-editor.tsx'
import { useFieldName, useSourceWords } from './words.ts'

export interface MappingPartProps {
  doc: Doc
  change: (doc: Doc) => void
  columns: readonly FileColumn[]
  faults: readonly Fault[]
}

/** The fields of an offer, each with the column that it is made of. */
export function FieldsForm({
  doc,
  change,
  columns,
  faults,
  prices,
}: MappingPartProps & {
  /** The file's columns of prices whose names show their kind. */
  prices: readonly PriceColumn[]
}) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const [opened, setOpened] = useState<string | null>(null)
  const fields = fieldsOf(doc)
  const texts = Object.keys(fields).filter(isLocalText)
  const set = (field: string) => (source: unknown) => change(withField(doc, field, source))
  return (
    <Section title={t('form.title')} note={t('form.note')}>
      <div className={classes.fields}>
        {[...MAPPED_FIELDS, ...texts].map((field) => (
          <Fragment key={field}>
            <FieldRow
              field={field}
              source={fields[field]}
              isRequired={field === 'sku'}
              hasPreset={doc['preset'] !== undefined}
              columns={columns}
              faults={faultsAt(faults, `fields.${field}`)}
              set={set(field)}
              adjust={() => setOpened(field)}
            />
            {field === 'cost' ? <SellingPrice doc={doc} change={change} columns={columns} prices={prices} /> : null}
          </Fragment>
        ))}
        <AddLanguage fields={fields} add={(field) => set(field)(columns[0]?.name ?? '')} />
        <Attributes
          value={fields['attributes']}
          set={set('attributes')}
          columns={columns}
          fields={fields}
          faults={faultsAt(faults, 'fields.attributes')}
        />
      </div>
      {opened === null ? null : (
        <SidePanel title={nameOf(opened)} close={() => setOpened(null)}>
          {faultsAt(faults, `fields.${opened}`).map(({ name, reason }) => (
            <p key={`${name} ${reason}`} className={classes.error}>
              {name.slice('fields.'.length)}: {reason}
            </p>
          ))}
          {isMany(opened) ? (
            <ListEditor value={fields[opened]} set={set(opened)} columns={columns} />
          ) : (
            <SourceEditor label={nameOf(opened)} value={fields[opened] ?? ''} set={set(opened)} columns={columns} />
          )}
        </SidePanel>
      )}
    </Section>
  )
}

/** One field: its column, and the button for everything that a column alone does not say. */
function FieldRow({
  field,
  source,
  isRequired,
  hasPreset,
  columns,
  faults,
  set,
  adjust,
}: {
  field: string
  source: unknown
  isRequired: boolean
  hasPreset: boolean
  columns: readonly FileColumn[]
  faults: readonly Fault[]
  set: (source: unknown) => void
  adjust: () => void
}) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const sourceWords = useSourceWords()
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
        error={faults.map(({ reason }) => reason).join('; ') || undefined}
        set={(name) => set(name === undefined ? undefined : withColumn(source, name))}
      />
      <Button
        variant="default"
        size="sm"
        aria-label={t('form.adjustOf', { name: nameOf(field) })}
        onClick={adjust}
        disabled={source === undefined && columns.length === 0}
      >
        {isAdjusted ? t('form.adjusted') : t('form.adjust')}
      </Button>
    </div>
  )
}

/** Titles and descriptions of other languages. */
function AddLanguage({ fields, add }: { fields: Doc; add: (field: string) => void }) {
  const { t } = useTranslation('import')
  const [locale, setLocale] = useState('')
  const name = locale.trim()
  return (
    <form
      className={classes.field}
      onSubmit={(event) => {
        event.preventDefault()
        const field = TEXT_FIELDS.map((text) => `${text}.${name}`).find((text) => fields[text] === undefined)
        if (name !== '' && field !== undefined) add(field)
        setLocale('')
      }}
    >
      <Unsaved when={name !== ''} />
      <CodePicker kind="language" label={t('form.language')} placeholder="pl" value={locale} onChange={setLocale} />
      <Button type="submit" variant="default" size="sm" disabled={name === ''}>
        {t('form.addLanguage')}
      </Button>
    </form>
  )
}
