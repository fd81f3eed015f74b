import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { GroupedProduct } from '../../api/variant-groups.ts'
import { useFormats } from '../../words/format.ts'
import type { Draft } from './draft.ts'
import classes from './variant-group.module.css'

const OPTIONS_MAX = 20

/** The group's title in each language; the placeholder is the title that is shown otherwise. */
export function TitleFields({
  locales,
  title,
  shownIn,
  change,
}: {
  locales: readonly string[]
  title: Draft['title']
  shownIn: (locale: string) => string | null
  change: (title: Draft['title']) => void
}) {
  const format = useFormats()
  return (
    <div className={classes.fields}>
      {locales.map((locale) => (
        <TextInput
          key={locale}
          label={format.language(locale)}
          value={title[locale] ?? ''}
          placeholder={shownIn(locale) ?? ''}
          onChange={(event) => change({ ...title, [locale]: event.currentTarget.value })}
          dir="auto"
          lang={locale}
          autoComplete="off"
        />
      ))}
    </div>
  )
}

/** The options in which variants differ: keys, and their labels in each language. */
export function OptionFields({
  locales,
  options,
  shown,
  change,
}: {
  locales: readonly string[]
  options: Draft['options']
  shown: ReadonlyMap<number, GroupedProduct>
  change: (options: Draft['options']) => void
}) {
  const { t } = useTranslation('variant-group')
  const format = useFormats()
  const labelOf = (key: string) =>
    [...shown.values()].flatMap(({ group }) => group?.options ?? []).find((option) => option.key === key)?.label ?? ''
  const set = (at: number, changes: Partial<Draft['options'][number]>) =>
    change(options.map((option, i) => (i === at ? { ...option, ...changes } : option)))
  return (
    <>
      {options.map(({ key, labels }, at) => (
        // options have no other identity than their index
        <fieldset key={at} className={classes.option}>
          <legend className={classes.hidden}>{key === '' ? t('options.untitled', { number: at + 1 }) : key}</legend>
          <div className={classes.fields}>
            <TextInput
              label={t('options.key')}
              value={key}
              onChange={(event) => set(at, { key: event.currentTarget.value })}
              autoComplete="off"
            />
            {locales.map((locale) => (
              <TextInput
                key={locale}
                label={t('options.label', { language: format.language(locale) })}
                value={labels[locale] ?? ''}
                placeholder={labelOf(key)}
                onChange={(event) => set(at, { labels: { ...labels, [locale]: event.currentTarget.value } })}
                dir="auto"
                lang={locale}
                autoComplete="off"
              />
            ))}
          </div>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('options.removeOf', { name: key === '' ? t('options.untitled', { number: at + 1 }) : key })}
            onClick={() => change(options.filter((_, i) => i !== at))}
          >
            {t('options.remove')}
          </Button>
        </fieldset>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        disabled={options.length >= OPTIONS_MAX}
        onClick={() => change([...options, { key: '', labels: {} }])}
      >
        {t('options.add')}
      </Button>
    </>
  )
}
