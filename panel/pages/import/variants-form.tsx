import { useTranslation } from 'react-i18next'
import { MAPPED_GROUP_FIELDS } from '../../../contract/product-fields.ts'
import { Section } from '../../components/page.tsx'
import { Attributes } from './attributes.tsx'
import { FieldRow } from './field-row.tsx'
import type { MappingPartProps } from './fields-form.tsx'
import classes from './import.module.css'
import { faultsAt, fieldsOf, VARIANT_FIELDS, withField } from './mapping.ts'

/** The variant group of an article, and the options by which its variants differ. */
export function VariantsForm({ doc, change, columns, faults }: MappingPartProps) {
  const { t } = useTranslation('import')
  const fields = fieldsOf(doc)
  const hasPreset = doc['preset'] !== undefined
  // without the group's key its other fields have no meaning
  const isShown = hasPreset || VARIANT_FIELDS.some((field) => fields[field] !== undefined)
  const set = (field: string, source: unknown) => {
    const left = field === 'group_key' && source === undefined ? VARIANT_FIELDS : [field]
    change(left.reduce((changed, name) => withField(changed, name, source), doc))
  }
  return (
    <Section title={t('variants.title')} note={t('variants.note')}>
      <div className={classes.fields}>
        {MAPPED_GROUP_FIELDS.filter((field) => isShown || field === 'group_key').map((field) => (
          <FieldRow
            key={field}
            field={field}
            source={fields[field]}
            isRequired={false}
            hasPreset={hasPreset}
            columns={columns}
            faults={faults}
            set={(source) => set(field, source)}
          />
        ))}
        {isShown ? (
          <Attributes
            of="options"
            value={fields['group_options']}
            set={(options) => set('group_options', options)}
            columns={columns}
            fields={fields}
            faults={faultsAt(faults, 'fields.group_options')}
          />
        ) : null}
      </div>
    </Section>
  )
}
