import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/page.tsx'
import {
  availabilityOf,
  type Meaning,
  MEANINGS,
  ownWordsOf,
  PIECES,
  withAvailability,
  withMeaning,
} from './availability.ts'
import { cellOf } from './columns.ts'
import type { MappingPartProps } from './fields-form.tsx'
import classes from './import.module.css'
import { columnsIn, faultsAt, fieldsOf } from './mapping.ts'
import type { PreviewedRow } from './preview-file.ts'

const WORDS_MAX = 20

/** A word in a quantity column, and the quantity as which it is read now; null if it is refused. */
interface Word {
  word: string
  pieces: number | null
}

/** The words in quantity columns of the first rows: values that are not numbers. */
function wordsOf(rows: readonly PreviewedRow[], columns: readonly string[]): Word[] {
  const words = new Map<string, Word>()
  for (const { row, offer, is_left_out: isLeftOut } of rows)
    for (const column of isLeftOut ? [] : columns) {
      const word = cellOf(row, column).trim()
      if (word === '' || /\d/.test(word) || words.has(word)) continue
      words.set(word, { word, pieces: typeof offer?.['quantity'] === 'number' ? offer['quantity'] : null })
    }
  return [...words.values()].slice(0, WORDS_MAX)
}

/**
 * The meaning of words such as "in stock", and the quantity of each meaning. Shown if the file has words, or the mapping defines some.
 */
export function AvailabilityForm({
  doc,
  change,
  faults,
  rows,
}: Omit<MappingPartProps, 'columns'> & { rows: readonly PreviewedRow[] }) {
  const { t } = useTranslation('import')
  const settings = availabilityOf(doc)
  const own = ownWordsOf(doc)
  const found = wordsOf(rows, columnsIn(fieldsOf(doc)['quantity']))
  if (found.length === 0 && doc['availability'] === undefined) return null
  const others = Object.keys(own).filter((word) => !found.some((one) => one.word === word))
  return (
    <Section title={t('availability.title')} note={t('availability.note')}>
      <div className={classes.settings}>
        {[...found, ...others.map((word): Word => ({ word, pieces: null }))].map(({ word, pieces }) => (
          <NativeSelect
            key={word}
            label={t('availability.word', { word })}
            value={typeof own[word] === 'string' ? own[word] : ''}
            error={faultsAt(faults, `availability.words.${word}`)[0]?.reason}
            data={[
              {
                value: '',
                label: pieces === null ? t('availability.unknown') : t('availability.known', { count: pieces }),
              },
              ...MEANINGS.map((meaning) => ({ value: meaning, label: t(`availability.${meaning}`) })),
            ]}
            onChange={(event) => change(withMeaning(doc, word, event.currentTarget.value as Meaning | ''))}
          />
        ))}
      </div>
      <div className={`${classes.settings} ${classes.words}`}>
        {MEANINGS.map((meaning) => (
          <TextInput
            key={meaning}
            label={t('availability.countsAs', { meaning: t(`availability.${meaning}`) })}
            placeholder={String(PIECES[meaning])}
            inputMode="numeric"
            autoComplete="off"
            value={typeof settings[meaning] === 'number' ? String(settings[meaning]) : ''}
            error={faultsAt(faults, `availability.${meaning}`)[0]?.reason}
            onChange={(event) => {
              const typed = event.currentTarget.value.trim()
              if (/^\d*$/.test(typed)) change(withAvailability(doc, meaning, typed === '' ? undefined : Number(typed)))
            }}
          />
        ))}
      </div>
    </Section>
  )
}
