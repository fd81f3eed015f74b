import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isUnknownWord, MEANINGS, type Meaning, ownWordsOf, withMeaning } from './availability.ts'
import classes from './import.module.css'
import type { Doc } from './mapping.ts'

/** Asks for the meaning of a word in a quantity column. */
export function WordMeaning({
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
  if (!isUnknownWord(field, value) || ownWordsOf(doc)[value] !== undefined) return null
  return (
    <NativeSelect
      className={classes.meaning}
      label={t('availability.word', { word: value })}
      value=""
      data={[
        { value: '', label: t('availability.choose') },
        ...MEANINGS.map((meaning) => ({ value: meaning, label: t(`availability.${meaning}`) })),
      ]}
      onChange={(event) => change(withMeaning(doc, value, event.currentTarget.value as Meaning | ''))}
    />
  )
}
