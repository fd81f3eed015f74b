import { Autocomplete, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  hasLines,
  isTextField,
  type NameField,
  type SourcedField,
  type TextField,
} from '../../../contract/product-fields.ts'
import { useState } from 'react'
import type { CatalogStore } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import type { Revised } from '../../api/resources.ts'
import { Loaded } from '../../components/loaded.tsx'
import { leaveAfterAsking, UnsavedScope, useScope } from '../../components/unsaved.ts'
import { useAccountParams } from '../../session/account.ts'
import { useFieldNames } from '../../words/field-names.ts'
import { useFormats } from '../../words/format.ts'
import { Chain } from './chain.tsx'
import type { OwnProduct, ProductExplanation } from './data.ts'
import { useEditing } from './editing.tsx'
import classes from './editing.module.css'
import { OwnValueForm } from './own-form.tsx'
import { isWrittenAlike } from './written-alike.ts'

interface Props {
  store: CatalogStore
  read: Revised<OwnProduct>
  close: () => void
}

/** A field that is taken from one source: its candidates, and the account's own value. */
export function FieldValue({ field, why, ...props }: Props & { field: SourcedField; why: ProductExplanation }) {
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
          ) : isTextField(field) ? (
            <TextForms field={field} locales={data.locales} why={why} {...props} />
          ) : (
            <NameForm field={field} shown={why[field].value ?? ''} {...props} />
          )}
        </>
      )}
    </Loaded>
  )
}

/** The account's own texts by locale. A form begins with the shown text. */
function TextForms({
  field,
  locales,
  why,
  store,
  read,
  close,
}: Props & { field: TextField; locales: readonly string[]; why: ProductExplanation }) {
  const { t } = useTranslation('product-edit')
  const own = read.data[field] ?? {}
  const options = [...new Set([store.locale, ...locales, ...Object.keys(own)])]
  const { value, source } = why[field]
  const shownIn = source === null ? null : source.locale
  const scope = useScope()
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
        onChange={(event) => {
          const next = event.currentTarget.value
          leaveAfterAsking(scope, () => setLocale(next))
        }}
      />
      <UnsavedScope scope={scope}>
        <TextForm
          key={locale}
          field={field}
          locale={locale}
          // a text in another language or script is no useful initial value
          shown={shownIn === null || isWrittenAlike(shownIn, locale) ? (value ?? '') : ''}
          read={read}
          close={close}
        />
      </UnsavedScope>
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
  const { t } = useTranslation('product-edit')
  const format = useFormats()
  const name = useFieldNames()(field)
  return (
    <OwnValueForm
      name={name}
      locale={locale}
      shown={shown}
      own={(own) => own[field]?.[locale] ?? null}
      patch={(value) => ({ [field]: { [locale]: value } })}
      read={read}
      close={close}
    >
      {(form) => (
        <Textarea
          {...form.text('text')}
          label={name}
          description={t('own.length', { length: format.number(form.values.text.length) })}
          lang={locale}
          dir="auto"
          autosize
          minRows={hasLines(field) ? 8 : 2}
          maxRows={20}
          data-autofocus
        />
      )}
    </OwnValueForm>
  )
}

/** A value that is the same in every language. */
function NameForm({ field, shown, read, close }: Omit<Props, 'store'> & { field: NameField | 'ean'; shown: string }) {
  const { t } = useTranslation('product-edit')
  const name = useFieldNames()(field)
  const choices = useRead(
    'GET /panel/api/accounts/{account_id}/product-choices',
    { params: useAccountParams() },
    { isEnabled: field === 'category' },
  )
  return (
    <OwnValueForm
      name={name}
      shown={shown}
      own={(own) => own[field]}
      patch={(value) => ({ [field]: value === null || value.trim() === '' ? null : value })}
      read={read}
      close={close}
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
    </OwnValueForm>
  )
}

/**
 * The own list of pictures is edited in the section of pictures; here it can only be replaced by a supplier's pictures.
 */
function ImagesForm({ read, close }: Omit<Props, 'store'>) {
  const { t } = useTranslation('product-edit')
  const name = useFieldNames()('images')
  if (read.data.images === null) return null
  return (
    <OwnValueForm
      name={name}
      own={(own) => own.images?.join('\n') ?? null}
      patch={(value) => ({
        images: value?.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])) ?? null,
      })}
      read={read}
      close={close}
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
    </OwnValueForm>
  )
}
