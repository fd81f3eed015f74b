import { ActionIcon, Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { CodePicker } from '../components/code-picker.tsx'
import { CloseIcon } from '../design/icons.tsx'
import type { CodeKind } from '../words/codes.ts'
import { asTyped } from './decimal-sign.ts'
import type { Field, InputProps } from './field.ts'
import classes from './inputs.module.css'
import { percentOf, shareOf } from './percent.ts'
import '../words/resources.ts'

// The kinds of fields. Each keeps invalid input as text, because the service validates it.

const bound = <V,>({ name, label, hint, error, isDisabled, isRequired, isFirst }: InputProps<V>) => ({
  name,
  label,
  description: hint,
  error,
  'aria-invalid': error === undefined ? undefined : (true as const),
  disabled: isDisabled,
  'aria-required': isRequired || undefined,
  'data-autofocus': isFirst || undefined,
})

/** One line of text. If null is allowed, an empty text is null. */
export function text<T extends string | null>(
  options: { isCode?: true; placeholder?: string; isLong?: true; isNullable?: true } = {},
): Field<T, string> {
  const { isCode, placeholder, isLong, isNullable } = options
  return {
    read: (member) => member ?? '',
    write: (value) => (value === '' && isNullable === true ? null : value),
    show: (value) => value,
    Input(props) {
      const shared = {
        ...bound(props),
        value: props.value,
        placeholder: props.placeholder ?? placeholder,
        autoComplete: 'off',
        dir: isCode === true ? 'ltr' : 'auto',
        spellCheck: isCode !== true,
        onChange: (event: { currentTarget: { value: string } }) => props.set(event.currentTarget.value),
      }
      return isLong === true ? <Textarea {...shared} autosize minRows={2} maxRows={8} /> : <TextInput {...shared} />
    },
  }
}

function code<T extends string | null>(
  kind: CodeKind,
  placeholder: string,
  write: (value: string) => unknown,
): Field<T, string> {
  return {
    read: (member) => member ?? '',
    write,
    show: (value) => value,
    Input: (props) => (
      <CodePicker {...bound(props)} kind={kind} placeholder={placeholder} value={props.value} onChange={props.set} />
    ),
  }
}

/** A currency code, in upper case however it is typed. */
export const currency = <T extends string | null>() => code<T>('currency', 'EUR', (value) => value.trim().toUpperCase())

/** A language, with a country if it matters. */
export const language = <T extends string | null>() => code<T>('language', 'de-DE', (value) => value.trim())

export const timeZone = <T extends string | null>() => code<T>('timeZone', 'Europe/Berlin', (value) => value.trim())

/** A whole number. If null is allowed, an empty field is null. */
export function wholeNumber<T extends number | null = number>(options: { isNullable?: true } = {}): Field<T, string> {
  return number((value) => {
    if (value.trim() === '' && options.isNullable === true) return null
    return /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value
  })
}

/** An exact decimal, sent as text so that no digit is lost. A comma is accepted as decimal separator. */
export function decimal<T extends string | number | null>(): Field<T, string> {
  const field = number<T>((value) => (value.trim() === '' ? null : value.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2')))
  return { ...field, read: (member) => asTyped(field.read(member), i18next.language) }
}

/** A share of 1, entered as a percentage. */
export function percent(): Field<string | number, string> {
  return {
    read: (member) => asTyped(percentOf(String(member)), i18next.language),
    write: (value) => (value.trim() === '' ? null : shareOf(value)),
    show: (value) => `${value} %`,
    Input(props) {
      const { t } = useTranslation('resources')
      return (
        <TextInput
          {...bound(props)}
          // the service's reason refers to the share, not to the percentage
          error={props.error === undefined ? undefined : t('percentFault')}
          value={props.value}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          rightSection="%"
          styles={{ wrapper: { maxWidth: 140 } }}
          onChange={(event) => props.set(event.currentTarget.value)}
        />
      )
    },
  }
}

function number<T extends string | number | null>(write: (value: string) => unknown): Field<T, string> {
  return {
    read: (member) => (member === null ? '' : String(member)),
    write,
    show: (value) => value,
    Input: (props) => (
      <TextInput
        {...bound(props)}
        value={props.value}
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        styles={{ wrapper: { maxWidth: 220 } }}
        onChange={(event) => props.set(event.currentTarget.value)}
      />
    ),
  }
}

/** A day; an empty field is null. */
export function day(): Field<string | null, string> {
  return {
    read: (member) => member ?? '',
    write: (value) => (value === '' ? null : value),
    show: (value) => value,
    Input: (props) => (
      <TextInput
        {...bound(props)}
        type="date"
        value={props.value}
        styles={{ wrapper: { maxWidth: 220 } }}
        onChange={(event) => props.set(event.currentTarget.value)}
      />
    ),
  }
}

/** Yes or no. */
export function flag(): Field<boolean, boolean> {
  return {
    read: (member) => member,
    write: (value) => value,
    show: (value, words) => (value ? words.yes : words.no),
    Input(props) {
      const { name, label, description, error, disabled } = bound(props)
      return (
        <Checkbox
          {...{ name, label, description, error, disabled }}
          checked={props.value}
          onChange={(event) => props.set(event.currentTarget.checked)}
        />
      )
    },
  }
}

export interface Option<T> {
  value: T
  label: string
  /** A description below the label; only for `some`. */
  description?: string
}

/** One of several values. A current value that is not among them is kept. */
export function choice<T extends string | number | boolean | null>(options: readonly Option<T>[]): Field<T, string> {
  const texts = options.map(({ value, label }) => ({ value: value === null ? '' : String(value), label }))
  return {
    read: (member) => (member === null ? '' : String(member)),
    write: (value) => {
      const found = options[texts.findIndex((option) => option.value === value)]
      return found === undefined ? value : found.value
    },
    show: (value) => texts.find((option) => option.value === value)?.label ?? value,
    Input: (props) => (
      <NativeSelect
        {...bound(props)}
        value={props.value}
        data={
          texts.some(({ value }) => value === props.value)
            ? texts
            : [{ value: props.value, label: props.value || '–' }, ...texts]
        }
        onChange={(event) => props.set(event.currentTarget.value)}
      />
    ),
  }
}

/** Some of several values. None chosen is null, which means all. */
export function multipleChoice<T extends string | number>(options: readonly Option<T>[]): Field<T[] | null, T[]> {
  const labelOf = (value: T) => options.find((option) => option.value === value)?.label ?? value
  return {
    read: (member) => member ?? [],
    write: (value) => (value.length === 0 ? null : value),
    show: (value) => value.map(labelOf).join(' · '),
    Input: (props) => (
      <fieldset className={classes.rows} disabled={props.isDisabled}>
        <legend>{props.label}</legend>
        {props.hint === undefined ? null : <p className={classes.hint}>{props.hint}</p>}
        {options.map(({ value, label, description }) => (
          <Checkbox
            key={value}
            label={label}
            description={description}
            checked={props.value.includes(value)}
            onChange={(event) => {
              const isChosen = event.currentTarget.checked
              props.set(
                options
                  .map((option) => option.value)
                  .filter((other) => (other === value ? isChosen : props.value.includes(other))),
              )
            }}
          />
        ))}
        {props.error === undefined ? null : <p className={classes.error}>{props.error}</p>}
      </fieldset>
    ),
  }
}

/** Texts, one on each line. */
export function lines(): Field<string[], string> {
  const split = (value: string) =>
    value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  return {
    read: (member) => member.join('\n'),
    write: split,
    show: (value) => split(value).join(' · '),
    Input: (props) => (
      <Textarea
        {...bound(props)}
        value={props.value}
        autosize
        minRows={3}
        maxRows={12}
        dir="auto"
        onChange={(event) => props.set(event.currentTarget.value)}
      />
    ),
  }
}

/** Some of several values, in order of precedence. */
export function order(options: readonly Option<number>[]): Field<number[], number[]> {
  const labelOf = (value: number) => options.find((option) => option.value === value)?.label ?? String(value)
  return {
    read: (member) => member,
    write: (value) => value,
    show: (value) => value.map(labelOf).join(' → '),
    Input: (props) => <OrderInput {...props} options={options} labelOf={labelOf} />,
  }
}

function OrderInput({
  value,
  set,
  options,
  labelOf,
  ...props
}: InputProps<number[]> & { options: readonly Option<number>[]; labelOf: (value: number) => string }) {
  const { t } = useTranslation('resources')
  const rest = options.filter((option) => !value.includes(option.value))
  const move = (from: number, by: number) => {
    const next = [...value]
    const [moved] = next.splice(from, 1)
    if (moved !== undefined) next.splice(from + by, 0, moved)
    set(next)
  }
  return (
    <fieldset className={classes.rows} disabled={props.isDisabled}>
      <legend>{props.label}</legend>
      {props.hint === undefined ? null : <p className={classes.hint}>{props.hint}</p>}
      <ol>
        {value.map((id, i) => (
          <li key={id} className={classes.ordered}>
            <span dir="auto">{labelOf(id)}</span>
            <Button
              size="compact-xs"
              variant="default"
              disabled={i === 0}
              aria-label={`${t('order.up')}: ${labelOf(id)}`}
              onClick={() => move(i, -1)}
            >
              {t('order.up')}
            </Button>
            <Remove
              label={t('order.remove', { name: labelOf(id) })}
              run={() => set(value.filter((own) => own !== id))}
            />
          </li>
        ))}
      </ol>
      {rest.length === 0 ? null : (
        <NativeSelect
          aria-label={t('order.add')}
          value=""
          data={[
            { value: '', label: t('order.add') },
            ...rest.map((option) => ({ value: String(option.value), label: option.label })),
          ]}
          onChange={(event) => {
            if (event.currentTarget.value !== '') set([...value, Number(event.currentTarget.value)])
          }}
        />
      )}
      {props.error === undefined ? null : <p className={classes.error}>{props.error}</p>}
    </fieldset>
  )
}

type Entry = { locale: string; text: string }
type ByLocale = Readonly<Record<string, string | null>> | null

const entriesOf = (member: ByLocale): Entry[] =>
  Object.entries(member ?? {}).map(([locale, value]) => ({ locale, text: value ?? '' }))
const mapOf = (entries: readonly Entry[]) =>
  Object.fromEntries(entries.filter(({ locale }) => locale.trim() !== '').map((row) => [row.locale.trim(), row.text]))

/** A text for each locale. */
export function byLocale(): Field<ByLocale, Entry[]> {
  return {
    read: entriesOf,
    write: mapOf,
    show: (value) => value.map((row) => `${row.locale}: ${row.text}`).join(' · '),
    Input: (props) => (
      <fieldset className={classes.rows} disabled={props.isDisabled}>
        <legend>{props.label}</legend>
        {props.hint === undefined ? null : <p className={classes.hint}>{props.hint}</p>}
        <LocaleRows label={props.label} value={props.value} set={props.set} />
        {props.error === undefined ? null : <p className={classes.error}>{props.error}</p>}
      </fieldset>
    ),
  }
}

function LocaleRows({ label, value, set }: { label: string; value: Entry[]; set: (value: Entry[]) => void }) {
  const { t } = useTranslation('resources')
  const change = (at: number, changes: Partial<Entry>) =>
    set(value.map((row, i) => (i === at ? { ...row, ...changes } : row)))
  return (
    <>
      {value.map((row, i) => (
        // rows have no other identity while they are typed
        <div key={i} className={classes.row}>
          <CodePicker
            kind="language"
            aria-label={`${label}: ${t('locale')} ${i + 1}`}
            placeholder="de"
            w={150}
            value={row.locale}
            onChange={(locale) => change(i, { locale })}
          />
          <TextInput
            className={classes.grows}
            aria-label={`${label}: ${row.locale || i + 1}`}
            dir="auto"
            value={row.text}
            onChange={(event) => change(i, { text: event.currentTarget.value })}
          />
          <Remove
            label={t('removeRow', { name: `${label} ${row.locale}` })}
            run={() => set(value.filter((_, other) => other !== i))}
          />
        </div>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t('addLocale')}: ${label}`}
          onClick={() => set([...value, { locale: '', text: '' }])}
        >
          {t('addLocale')}
        </Button>
      </div>
    </>
  )
}

type OptionRow = { value: string; texts: Entry[] }
type ByValue = Readonly<Record<string, ByLocale>> | null

/** Texts by locale, for each value that suppliers send. */
export function byValue(): Field<ByValue, OptionRow[]> {
  return {
    read: (member) => Object.entries(member ?? {}).map(([value, texts]) => ({ value, texts: entriesOf(texts) })),
    write: (rows) =>
      Object.fromEntries(rows.filter(({ value }) => value.trim() !== '').map((row) => [row.value, mapOf(row.texts)])),
    show: (rows) => rows.map(({ value, texts }) => `${value} (${texts.map((row) => row.text).join(', ')})`).join(' · '),
    Input: (props) => <ValueRows {...props} />,
  }
}

function ValueRows({ label, hint, value: rows, set, error, isDisabled }: InputProps<OptionRow[]>) {
  const { t } = useTranslation('resources')
  const change = (at: number, changes: Partial<OptionRow>) =>
    set(rows.map((row, i) => (i === at ? { ...row, ...changes } : row)))
  return (
    <fieldset className={classes.rows} disabled={isDisabled}>
      <legend>{label}</legend>
      {hint === undefined ? null : <p className={classes.hint}>{hint}</p>}
      {rows.map((row, i) => (
        // rows have no other identity while they are typed
        <div key={i} className={classes.option}>
          <div className={classes.row}>
            <TextInput
              className={classes.grows}
              aria-label={`${t('value')} ${i + 1}`}
              placeholder={t('value')}
              dir="auto"
              value={row.value}
              onChange={(event) => change(i, { value: event.currentTarget.value })}
            />
            <Remove
              label={t('removeRow', { name: row.value || `${t('value')} ${i + 1}` })}
              run={() => set(rows.filter((_, other) => other !== i))}
            />
          </div>
          <LocaleRows label={row.value || t('value')} value={row.texts} set={(texts) => change(i, { texts })} />
        </div>
      ))}
      <div>
        <Button size="compact-sm" variant="default" onClick={() => set([...rows, { value: '', texts: [] }])}>
          {t('addValue')}
        </Button>
      </div>
      {error === undefined ? null : <p className={classes.error}>{error}</p>}
    </fieldset>
  )
}

function Remove({ label, run }: { label: string; run: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={run}>
      <CloseIcon size={14} />
    </ActionIcon>
  )
}
