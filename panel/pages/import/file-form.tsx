import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FILE_FORMATS } from '../../../contract/file-formats.ts'
import { CodePicker } from '../../components/code-picker.tsx'
import { Section } from '../../components/page.tsx'
import { useFormats } from '../../words/format.ts'
import classes from './import.module.css'
import { faultsAt, withMember, type Doc, type Fault } from './mapping.ts'
import type { OpenedFile } from './opened-file.ts'
import type { Detected } from './preview-file.ts'
import { presetName } from './words.ts'

const ENCODINGS = ['utf-8', 'windows-1252', 'windows-1250', 'iso-8859-1', 'iso-8859-2', 'utf-16le', 'cp437', 'cp852']
/** From this size on, sizes are shown in megabytes. */
const BYTES_SHOWN = 100_000
/** The numbers of adjacent tables that can be chosen here. */
const TABLES = [1, 2, 3, 4, 5, 6]
const DELIMITERS = [',', ';', '\t', '|']

/** Settings of the file that can have faults. */
const SETTINGS = ['format', 'encoding', 'delimiter', 'sheet', 'table', 'items', 'each', 'locale', 'imageBaseUrl']

/** The file's format: what was detected, in words, and fields to correct it. */
export function FileForm({
  file,
  detected,
  doc,
  change,
  faults,
  isFolded,
}: {
  file: OpenedFile
  detected: Detected | null
  doc: Doc
  change: (doc: Doc) => void
  faults: readonly Fault[]
  /** On a phone the settings are folded: the detection is usually right, and the columns matter more. */
  isFolded: boolean
}) {
  const { t } = useTranslation('import')
  const [isOpen, setOpen] = useState(false)
  const format = useFormats()
  const form = detected?.form
  const kind = typeof doc['format'] === 'string' ? doc['format'] : (form?.format ?? '')
  const isTable = ['csv', 'tsv', 'xlsx', ''].includes(kind)
  const text = (name: string) => (typeof doc[name] === 'string' ? doc[name] : '')
  const set = (name: string, value: unknown) => change(withMember(doc, name, value === '' ? undefined : value))
  const errorOf = (name: string) => faultsAt(faults, name)[0]?.reason
  const choice = (name: string, values: readonly string[], found: string | null | undefined) => {
    const own = text(name)
    const known = own === '' || values.includes(own) ? values : [own, ...values]
    const none = found === null || found === undefined ? t('file.auto') : t('file.found', { value: words(found) })
    return (
      <NativeSelect
        label={t(`file.${name as 'format'}`)}
        value={own}
        error={errorOf(name)}
        data={[{ value: '', label: none }, ...known.map((value) => ({ value, label: words(value) }))]}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
    )
  }
  const words = (value: string) => (value === '\t' ? t('file.tab') : value)
  const line = typeof doc['skipLines'] === 'number' ? doc['skipLines'] + 1 : ''
  const sentences = [
    detected?.preset === null || detected?.preset === undefined
      ? null
      : t('file.preset', { preset: presetName(detected.preset) }),
    file.bytes < BYTES_SHOWN
      ? t('file.size', { bytes: format.number(file.bytes) })
      : t('file.megabytes', { size: format.number(Math.round(file.bytes / 100_000) / 10) }),
    form === undefined
      ? null
      : [
          t('file.isFormat', { format: form.format.toUpperCase() }),
          form.encoding === null ? null : t('file.isEncoded', { encoding: form.encoding }),
          form.delimiter === null ? null : t('file.isCut', { delimiter: words(form.delimiter) }),
          form.header_line === null ? null : t('file.hasHeader', { line: form.header_line }),
          text('decimal') === '' ? null : t('file.hasDecimal', { sign: text('decimal') }),
        ]
          .filter((part) => part !== null)
          .join(', '),
  ].filter((sentence) => sentence !== null)
  const settings = (
    <div className={classes.settings}>
      {choice('format', FILE_FORMATS, form?.format)}
      {kind === 'xlsx' ? (
        <Plain name="sheet" value={text('sheet')} set={set} error={errorOf('sheet')} hint={t('file.sheetHint')} />
      ) : (
        choice('encoding', ENCODINGS, form?.encoding)
      )}
      {kind === 'csv' || kind === '' ? choice('delimiter', DELIMITERS, form?.delimiter) : null}
      {isTable ? (
        <TextInput
          label={t('file.headerLine')}
          value={line}
          placeholder={form?.header_line === null || form === undefined ? t('file.auto') : String(form.header_line)}
          inputMode="numeric"
          onChange={(event) => {
            const number = Number(event.currentTarget.value)
            set('skipLines', Number.isInteger(number) && number > 0 ? number - 1 : undefined)
          }}
        />
      ) : null}
      {isTable && doc['table'] !== undefined ? (
        <NativeSelect
          label={t('file.table')}
          value={typeof doc['table'] === 'number' ? String(doc['table']) : text('table')}
          error={errorOf('table')}
          data={[
            { value: 'all', label: t('file.allTables') },
            ...TABLES.map((number) => ({ value: String(number), label: t('file.oneTable', { number }) })),
          ]}
          onChange={(event) =>
            set('table', event.currentTarget.value === 'all' ? 'all' : Number(event.currentTarget.value))
          }
        />
      ) : null}
      {kind === 'json' || kind === 'xml' ? (
        <Plain name="items" value={text('items')} set={set} error={errorOf('items')} hint={t('file.itemsHint')} />
      ) : null}
      {kind === 'json' || kind === 'ndjson' || kind === 'xml' ? (
        <Plain name="each" value={text('each')} set={set} error={errorOf('each')} hint={t('file.eachHint')} />
      ) : null}
      <NativeSelect
        label={t('file.decimal')}
        value={text('decimal')}
        data={[
          { value: '', label: t('file.decimalAuto') },
          { value: ',', label: t('file.comma') },
          { value: '.', label: t('file.point') },
        ]}
        onChange={(event) => set('decimal', event.currentTarget.value)}
      />
      <CodePicker
        kind="language"
        label={t('file.locale')}
        value={text('locale')}
        placeholder={t('file.localeHint')}
        error={errorOf('locale')}
        onChange={(locale) => set('locale', locale)}
      />
      <Plain
        name="imageBaseUrl"
        value={text('imageBaseUrl')}
        set={set}
        error={errorOf('imageBaseUrl')}
        hint={t('file.imageBaseUrlHint')}
      />
    </div>
  )
  const isFaulty = SETTINGS.some((name) => errorOf(name) !== undefined)
  return (
    <Section title={file.name} note={sentences.join('. ')}>
      {isFolded ? (
        <details open={isOpen || isFaulty} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('drop.readAs')}</summary>
          <div className={classes.unfolded}>{settings}</div>
        </details>
      ) : (
        settings
      )}
    </Section>
  )
}

function Plain({
  name,
  value,
  set,
  hint,
  error,
}: {
  name: 'sheet' | 'items' | 'each' | 'imageBaseUrl'
  value: string
  set: (name: string, value: string) => void
  hint: string
  error: string | undefined
}) {
  const { t } = useTranslation('import')
  return (
    <TextInput
      label={t(`file.${name}`)}
      value={value}
      placeholder={hint}
      error={error}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  )
}
