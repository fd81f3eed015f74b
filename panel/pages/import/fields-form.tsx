import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAPPED_ALTS, MAPPED_FIELDS, TEXT_FIELDS } from '../../../contract/product-fields.ts'
import { CodePicker } from '../../components/code-picker.tsx'
import { Section } from '../../components/page.tsx'
import { Unsaved } from '../../components/unsaved.ts'
import { Attributes } from './attributes.tsx'
import type { FileColumn } from './columns.ts'
import { FieldRow } from './field-row.tsx'
import classes from './import.module.css'
import { faultsAt, fieldsOf, isLocalText, withField, type Doc, type Fault } from './mapping.ts'
import type { PriceColumn } from './preview-file.ts'
import { SellingPrice } from './selling-price.tsx'

export interface MappingPartProps {
  doc: Doc
  change: (doc: Doc) => void
  columns: readonly FileColumn[]
  faults: readonly Fault[]
}

/** Fields that most files have. Others are shown if they have a column, or all at once. */
const OFTEN: readonly string[] = ['sku', 'title', 'cost', 'quantity', 'ean', 'manufacturer', 'category', 'images']

/** The fields of an offer, each with its column. */
export function FieldsForm({
  doc,
  change,
  columns,
  faults,
  prices,
}: MappingPartProps & {
  /** The file's price columns whose names show their kind. */
  prices: readonly PriceColumn[]
}) {
  const { t } = useTranslation('import')
  const fields = fieldsOf(doc)
  const texts = Object.keys(fields).filter(isLocalText)
  const [isAll, setAll] = useState(false)
  const named = [...MAPPED_FIELDS, MAPPED_ALTS, ...texts]
  // a field that lost its column stays visible
  const [shown, setShown] = useState<readonly string[]>(OFTEN)
  const isShown = (field: string) =>
    isAll || shown.includes(field) || fields[field] !== undefined || faultsAt(faults, `fields.${field}`).length > 0
  const hidden = named.filter((field) => !isShown(field)).length
  const set = (field: string) => (source: unknown) => {
    if (!shown.includes(field)) setShown([...shown, field])
    change(withField(doc, field, source))
  }
  return (
    <Section title={t('form.title')} note={t('form.note')}>
      <div className={classes.fields}>
        {named.filter(isShown).map((field) => (
          <Fragment key={field}>
            <FieldRow
              field={field}
              source={fields[field]}
              isRequired={field === 'sku'}
              hasPreset={doc['preset'] !== undefined}
              columns={columns}
              faults={faults}
              set={set(field)}
            />
            {field === 'cost' ? <SellingPrice doc={doc} change={change} columns={columns} prices={prices} /> : null}
          </Fragment>
        ))}
        {isAll || hidden === 0 ? null : (
          <div>
            <Button variant="default" size="sm" onClick={() => setAll(true)}>
              {t('form.others', { count: hidden })}
            </Button>
          </div>
        )}
        <AddLanguage fields={fields} add={(field) => set(field)(columns[0]?.name ?? '')} />
        <Attributes
          of="attributes"
          value={fields['attributes']}
          set={set('attributes')}
          columns={columns}
          fields={fields}
          faults={faultsAt(faults, 'fields.attributes')}
        />
      </div>
    </Section>
  )
}

/** Adds titles and descriptions in another language. */
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
