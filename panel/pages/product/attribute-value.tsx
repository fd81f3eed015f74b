import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { useResources, type Revised } from '../../api/resources.ts'
import { Loaded } from '../../components/loaded.tsx'
import { leaveAfterAsking, newTyped, Unsaved, UnsavedScope, useScope } from '../../components/unsaved.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { Chain } from './chain.tsx'
import type { OwnProduct } from './data.ts'
import { useEditing } from './editing.tsx'
import classes from './editing.module.css'
import { OwnForm } from './own-form.tsx'

const EVERY = '*'

interface Props {
  store: CatalogStore
  read: Revised<OwnProduct>
  close: () => void
}

/** An attribute, or the form for a new one. */
export function AttributeValue({ attribute, ...props }: Props & { attribute: string | null }) {
  return attribute === null ? <NewAttribute {...props} /> : <Attribute attribute={attribute} {...props} />
}

function Attribute({ attribute, ...props }: Props & { attribute: string }) {
  const { productId } = useEditing()
  const found = useRead('GET /panel/api/accounts/{account_id}/products/{product_id}/candidates', {
    params: { ...useAccountParams(), product_id: productId },
    query: { store: props.store.slug, field: 'attributes', key: attribute },
  })
  return (
    <Loaded query={found}>
      {({ data }) => {
        const [first] = data.candidates
        const shown = first?.stated ?? first?.value
        return (
          <>
            <Chain found={data} />
            <AttributeForm attribute={attribute} shown={typeof shown === 'string' ? shown : ''} {...props} />
          </>
        )
      }}
    </Loaded>
  )
}

function NewAttribute(props: Props) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const known = useResources(account.id, 'attributes')
  const [key, setKey] = useState('')
  const [typed] = useState(newTyped)
  const close = () => {
    // the name is part of the saved value
    typed.isUnsaved = false
    props.close()
  }
  return (
    <>
      <Unsaved of={typed} when={key !== ''} />
      <TextInput
        label={t('attribute.key')}
        description={t('attribute.keyNote')}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
        list="known-attributes"
        autoComplete="off"
        data-autofocus
      />
      <datalist id="known-attributes">
        {(known.data ?? []).map((definition) => (
          <option key={definition.key} value={definition.key} />
        ))}
      </datalist>
      <AttributeForm attribute={key.trim()} shown="" {...props} close={close} />
    </>
  )
}

function AttributeForm({ attribute, shown, store, read, close }: Props & { attribute: string; shown: string }) {
  const { t } = useTranslation('product-edit')
  const placesOf = (own: OwnProduct) => {
    const all = own.attributes ?? {}
    return (Object.hasOwn(all, attribute) ? all[attribute] : null) ?? {}
  }
  const own = placesOf(read.data)
  const scope = useScope()
  const [place, setPlace] = useState(Object.hasOwn(own, store.locale) ? store.locale : EVERY)
  const options = [...new Set([EVERY, store.locale, ...Object.keys(own)])]
  const ownIn = (product: OwnProduct) => placesOf(product)[place] ?? null
  const nameOf = (option: string) => (option === EVERY ? t('attribute.everyLocale') : option)
  const named = { value: attribute, locale: nameOf(place) }
  return (
    <>
      <NativeSelect
        className={classes.form}
        label={t('own.locale')}
        value={place}
        data={options.map((option) => ({
          value: option,
          label: Object.hasOwn(own, option) ? t('own.localeSet', { locale: nameOf(option) }) : nameOf(option),
        }))}
        onChange={(event) => {
          const next = event.currentTarget.value
          leaveAfterAsking(scope, () => setPlace(next))
        }}
      />
      <UnsavedScope scope={scope}>
        <OwnForm
          key={place}
          title={t('own.titleIn', named)}
          read={read}
          close={close}
          initial={(product) => {
            const value = ownIn(product)
            return { text: typeof value === 'string' ? value : shown, isHidden: value === false }
          }}
          body={({ text, isHidden }) => ({ attributes: { [attribute]: { [place]: isHidden ? false : text } } })}
          back={(_, product) => ({ attributes: { [attribute]: { [place]: ownIn(product) } } })}
          reset={(product) => (ownIn(product) === null ? null : { attributes: { [attribute]: { [place]: null } } })}
          said={{ saved: t('own.savedIn', named), reset: t('own.resetIn', named) }}
          shown={({ text, isHidden }) => [[attribute, isHidden ? t('chain.hidden') : text]]}
        >
          {(form) => (
            <>
              <TextInput
                {...form.text('text')}
                label={t('attribute.value')}
                description={t('attribute.valueNote')}
                dir="auto"
                autoComplete="off"
                disabled={form.values.isHidden}
              />
              <Checkbox
                label={t('attribute.hide')}
                checked={form.values.isHidden}
                onChange={(event) => form.set({ isHidden: event.currentTarget.checked })}
              />
            </>
          )}
        </OwnForm>
      </UnsavedScope>
    </>
  )
}
