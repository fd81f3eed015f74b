import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FileColumn } from './columns.ts'

const SAMPLE_CHARACTERS = 32
const NONE = ''
const OTHER = '\u0000'

/** A select of the file's columns, each with an example. */
export function ColumnSelect({
  label,
  value,
  columns,
  none,
  other,
  error,
  isRequired = false,
  isLabelHidden = false,
  set,
}: {
  label: string
  value: string | undefined
  columns: readonly FileColumn[]
  /** Label of the choice without a column; undefined: a column is required. */
  none?: string
  /** Label of a source that is not a column; choosing a column replaces it. */
  other?: string | undefined
  error?: string | undefined
  isRequired?: boolean
  isLabelHidden?: boolean
  set: (column: string | undefined) => void
}) {
  const { t } = useTranslation('import')
  const isKnown = value === undefined || columns.some(({ name }) => name === value)
  const option = ({ name, samples }: FileColumn) => {
    const sample = samples[0] ?? ''
    const shown = sample.length > SAMPLE_CHARACTERS ? `${sample.slice(0, SAMPLE_CHARACTERS)}…` : sample
    return { value: name, label: shown === '' ? name : `${name} – ${shown}` }
  }
  return (
    <NativeSelect
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={other === undefined ? (value ?? NONE) : OTHER}
      error={error}
      aria-required={isRequired || undefined}
      data={[
        ...(none === undefined && value !== undefined && value !== NONE ? [] : [{ value: NONE, label: none ?? '–' }]),
        ...(other === undefined ? [] : [{ value: OTHER, label: other }]),
        ...(isKnown || value === NONE ? [] : [{ value, label: t('form.missing', { name: value }) }]),
        ...columns.map(option),
      ]}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        if (chosen !== OTHER) set(chosen === NONE ? undefined : chosen)
      }}
    />
  )
}
