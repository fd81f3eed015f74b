import { useTranslation } from 'react-i18next'
import { MAPPED_FIELDS } from '../../../contract/product-fields.ts'
import { Section } from '../../components/page.tsx'
import classes from './import.module.css'
import { fieldsOf, type Doc } from './mapping.ts'
import { presetName, useFieldName, useSourceWords } from './words.ts'

/** Shows which column became which field, for a reader who has skipped the mapping. */
export function MappingSummary({ mapping }: { mapping: Doc }) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const sourceWords = useSourceWords()
  const { preset } = mapping
  const fields = Object.entries(fieldsOf(mapping))
    .filter(([name, source]) => name !== 'attributes' && source !== null)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  return (
    <Section
      title={t('readAs.title')}
      {...(typeof preset === 'string' ? { note: t('readAs.preset', { preset: presetName(preset) }) } : {})}
    >
      <dl className={classes.readAs}>
        {fields.map(([name, source]) => (
          <div key={name}>
            <dt>{nameOf(name)}</dt>
            <dd dir="auto">{sourceWords(source)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

const ORDER: readonly string[] = MAPPED_FIELDS
/** The order of the form; other fields are last. */
function placeOf(field: string): number {
  const place = ORDER.indexOf(field.split('.')[0] ?? field)
  return place === -1 ? ORDER.length : place
}
