import { Autocomplete, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useState } from 'react'
import type { CatalogStore } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import type { Revised } from '../../api/resources.ts'
import { Loaded } from '../../components/loaded.tsx'
import { useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { Chain } from './chain.tsx'
import type { OwnProduct, Why } from './data.ts'
import { useEditing } from './editing.tsx'
import classes from './editing.module.css'
import type { SourcedField } from './marks.ts'
import { OwnForm } from './own-form.tsx'

const BY_LOCALE = ['title', 'description'] as const
type TextField = (typeof BY_LOCALE)[number]
const isText = (field: SourcedField): field is TextField => (BY_LOCALE as readonly string[]).includes(field)

interface Props {
  store: CatalogStore
  read: Revised<OwnProduct>
  close: () => void
}

/** A field that is taken from one source: what it could show, and the value of one's own. */
export function FieldValue({ field, why, ...props }: Props & { field: SourcedField; why: Why }) {
  const { productId } = useEditing()
  const found = useRead('GET /panel/api/accounts/{account_id}/products/{product_id}/candidates', {
    params: { ...useAccountParams(), product_id: productId },
    query: { store: props.store.slug, field },
  })
  return (
    <Loaded query={found}>
      {({ data }) => (
        <>
          <Chain found={data} />
          {field === 'images' ? (
            <ImagesForm {...props} />
          ) : isText(field) ? (
            <TextForms field={field} locales={data.locales} why={why} {...props} />
          ) : (
            <NameForm field={field} shown={why[field].value ?? ''} {...props} />
          )}
        </>
      )}
    </Loaded>
  )
}

/** Own texts by locale. The form begins with what is shown, which one changes. */
function TextForms({
  field,
  locales,
  why,
  store,
  read,
  close,
}: Props & { field: TextField; locales: readonly string[]; why: Why }) {
  const { t } = useTranslation('product-edit')
  const own = read.data[field] ?? {}
  const options = [...new Set([store.locale, ...locales, ...Object.keys(own)])]
  const { value, source } = why[field]
  const shownIn = source === null ? null : source.locale
  const [locale, setLocale] = useState(store.locale)
  return (
    <>
      <NativeSelect
        className={classes.form}
        label={t('own.locale')}
        description={t('own.localeNote')}
        value={locale}
        data={options.map((option) => ({
          value: option,
          label: Object.hasOwn(own, option) ? t('own.localeSet', { locale: option }) : option,
        }))}
        onChange={(event) => setLocale(event.currentTarget.value)}
      />
      <TextForm
        key={locale}
        field={field}
        locale={locale}
        // a text of another language is no beginning for one of this
        shown={shownIn === null || shownIn === locale ? (value ?? '') : ''}
        read={read}
        close={close}
      />
    </>
  )
}

function TextForm({
  field,
  locale,
  shown,
  read,
  close,
}: Omit<Props, 'store'> & { field: TextField; locale: string; shown: string }) {
  const { t } = useTranslation(['product-edit', 'product'])
  const format = useFormats()
  const ownIn = (own: OwnProduct) => own[field]?.[locale] ?? null
  const name = field === 'title' ? t('product:rows.title') : t('rows.description')
  const named = { value: name, locale }
  return (
    <OwnForm
      title={t('own.titleIn', named)}
      read={read}
      close={close}
      initial={(own) => ({ text: ownIn(own) ?? shown })}
      body={({ text }) => ({ [field]: { [locale]: text } })}
      back={(_, own) => ({ [field]: { [locale]: ownIn(own) } })}
      reset={(own) => (ownIn(own) === null ? null : { [field]: { [locale]: null } })}
      said={{ saved: t('own.savedIn', named), reset: t('own.resetIn', named) }}
      fieldOf={() => 'text'}
      differences={(theirs, mine) => [{ name, theirs: theirs.text, mine: mine.text }]}
    >
      {(form) => (
        <Textarea
          {...form.text('text')}
          label={name}
          description={t('own.length', { length: format.number(form.values.text.length) })}
          lang={locale}
          dir="auto"
          autosize
          minRows={field === 'title' ? 2 : 8}
          maxRows={20}
          data-autofocus
        />
      )}
    </OwnForm>
  )
}

/** A value that is the same in every language. */
function NameForm({
  field,
  shown,
  read,
  close,
}: Omit<Props, 'store'> & { field: 'manufacturer' | 'category' | 'ean'; shown: string }) {
  const { t } = useTranslation(['product-edit', 'product'])
  const name = field === 'ean' ? 'EAN' : field === 'category' ? t('rows.category') : t('product:rows.manufacturer')
  const ownOf = (own: OwnProduct) => own[field]
  const choices = useRead(
    'GET /panel/api/accounts/{account_id}/product-choices',
    { params: useAccountParams() },
    { isEnabled: field === 'category' },
  )
  return (
    <OwnForm
      title={t('own.title', { value: name })}
      read={read}
      close={close}
      initial={(own) => ({ text: ownOf(own) ?? shown })}
      body={({ text }) => ({ [field]: text.trim() === '' ? null : text })}
      back={(_, own) => ({ [field]: ownOf(own) })}
      reset={(own) => (ownOf(own) === null ? null : { [field]: null })}
      said={{ saved: t('own.saved', { value: name }), reset: t('own.wasReset', { value: name }) }}
      fieldOf={() => 'text'}
      differences={(theirs, mine) => [{ name, theirs: theirs.text, mine: mine.text }]}
    >
      {(form) =>
        field === 'category' ? (
          <Autocomplete
            name="text"
            label={name}
            description={t('own.categoryNote')}
            data={choices.data?.data.categories ?? []}
            limit={20}
            value={form.values.text}
            onChange={(text) => form.set({ text })}
            error={form.fault('text')}
            aria-invalid={form.fault('text') === undefined ? undefined : true}
          />
        ) : (
          <TextInput
            {...form.text('text')}
            label={name}
            autoComplete="off"
            dir={field === 'ean' ? 'ltr' : 'auto'}
            inputMode={field === 'ean' ? 'numeric' : 'text'}
            data-autofocus
          />
        )
      }
    </OwnForm>
  )
}

/** Your own pictures are chosen in the section of pictures; here they can only be given up for a supplier's. */
function ImagesForm({ read, close }: Omit<Props, 'store'>) {
  const { t } = useTranslation(['product-edit', 'product'])
  const name = t('product:rows.images')
  if (read.data.images === null) return null
  return (
    <OwnForm
      title={t('own.title', { value: name })}
      read={read}
      close={close}
      initial={(own) => ({ text: (own.images ?? []).join('\n') })}
      body={({ text }) => ({ images: text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])) })}
      back={(_, own) => ({ images: own.images })}
      reset={(own) => (own.images === null ? null : { images: null })}
      said={{ saved: t('own.saved', { value: name }), reset: t('own.wasReset', { value: name }) }}
      fieldOf={() => 'text'}
      differences={(theirs, mine) => [{ name, theirs: theirs.text, mine: mine.text }]}
    >
      {(form) => (
        <Textarea
          {...form.text('text')}
          label={name}
          description={t('own.imagesNote')}
          dir="ltr"
          autosize
          minRows={3}
          maxRows={12}
        />
      )}
    </OwnForm>
  )
}
