import { Button, Radio, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Revised } from '../../api/resources.ts'
import { Form, type FormState, useRevisedForm } from '../../components/form.tsx'
import { useAccount } from '../../session/account.ts'
import { type OwnProduct, readOwn } from './data.ts'
import { type Saved, useEditing, useSave } from './editing.tsx'
import classes from './editing.module.css'
import type { CatalogStore } from '../../api/catalog.ts'

interface OwnFormProps<V extends Record<string, unknown>> {
  title: string
  /** The data with which the form begins. */
  read: Revised<OwnProduct>
  /** The fields' initial values. */
  initial: (own: OwnProduct) => V
  /** The members to change; empty: nothing was changed. */
  body: (values: V, own: OwnProduct) => Record<string, unknown>
  /** The members that undo such a change. */
  back: (body: Record<string, unknown>, own: OwnProduct) => Record<string, unknown>
  /** The members that restore the suppliers' value; null: none of them is set. */
  reset: ((own: OwnProduct) => Record<string, unknown> | null) | null
  /** The messages after a save and after a reset. */
  said: { saved: string; reset: string }
  /** The buttons' labels, if they differ from the usual ones. */
  verbs?: { save: string; reset: string }
  /** The field for a fault's name; by default the only field, `text`. */
  fieldOf?: (name: string) => string
  /** Labels and texts of all fields, for a conflict. */
  shown: (values: V) => readonly (readonly [name: string, text: string])[]
  children: (form: FormState<V>) => ReactNode
  close: () => void
}

/** Sets own values of a product, or restores the suppliers'. Two people who edit at once see each other's changes. */
export function OwnForm<V extends Record<string, unknown>>(props: OwnFormProps<V>) {
  const { t } = useTranslation(['product-edit', 'shared'])
  const account = useAccount()
  const { productId, done } = useEditing()
  const save = useSave()
  const write = (body: Record<string, unknown>, text: string, base: Revised<OwnProduct>): Promise<Saved> =>
    save(text, body, props.back(body, base.data), base.revision)
  const form = useRevisedForm<Revised<OwnProduct>, V, Saved>({
    first: props.read,
    read: () => readOwn(account.id, productId),
    valuesOf: ({ data }) => props.initial(data),
    save: (values, base) => write(props.body(values, base.data), props.said.saved, base),
    shown: props.shown,
    fieldOf: props.fieldOf ?? (() => 'text'),
    done(saved) {
      props.close()
      void done(saved)
    },
  })
  const reset = props.reset?.(form.base.data) ?? null
  return (
    <div className={classes.form}>
      <h3>{props.title}</h3>
      <Form
        form={form}
        submit={props.verbs?.save ?? t('own.save')}
        beside={
          reset === null ? undefined : (
            <Button
              variant="default"
              loading={form.isAlsoBusy}
              onClick={() => form.also((base) => write(reset, props.said.reset, base))}
            >
              {props.verbs?.reset ?? t('own.reset')}
            </Button>
          )
        }
      >
        {props.children(form)}
      </Form>
    </div>
  )
}

/** The same for a single text value, which is for one language if `locale` is set. */
export function OwnValueForm({
  name,
  locale,
  shown = '',
  own,
  patch,
  ...rest
}: Pick<OwnFormProps<{ text: string }>, 'read' | 'close' | 'children'> & {
  /** The name of the value. */
  name: string
  locale?: string
  /** The initial value if none is set. */
  shown?: string
  /** The own value; null: none is set. */
  own: (product: OwnProduct) => string | null
  /** The members that set the value; null removes it. */
  patch: (value: string | null) => Record<string, unknown>
}) {
  const { t } = useTranslation('product-edit')
  const named = { value: name, locale }
  return (
    <OwnForm
      {...rest}
      title={locale === undefined ? t('own.title', named) : t('own.titleIn', named)}
      initial={(product) => ({ text: own(product) ?? shown })}
      body={({ text }) => patch(text)}
      back={(_, product) => patch(own(product))}
      reset={(product) => (own(product) === null ? null : patch(null))}
      said={
        locale === undefined
          ? { saved: t('own.saved', named), reset: t('own.wasReset', named) }
          : { saved: t('own.savedIn', named), reset: t('own.resetIn', named) }
      }
      shown={({ text }) => [[name, text]]}
    />
  )
}

/** The form for the product's own key. */
export function SkuForm({ read, close }: { read: Revised<OwnProduct>; close: () => void }) {
  const { t } = useTranslation(['product-edit', 'shared'])
  return (
    <OwnForm
      title={t('own.key')}
      read={read}
      close={close}
      initial={(own) => ({ text: own.sku ?? '' })}
      body={({ text }) => ({ sku: text.trim() === '' ? null : text })}
      back={(_, own) => ({ sku: own.sku })}
      reset={null}
      said={{ saved: t('own.saved', { value: t('own.key') }), reset: '' }}
      verbs={{ save: t('shared:save'), reset: '' }}
      shown={({ text }) => [[t('own.key'), text]]}
    >
      {(form) => (
        <TextInput
          {...form.text('text')}
          label={t('own.key')}
          description={t('own.keyNote')}
          dir="ltr"
          autoComplete="off"
          data-autofocus
        />
      )}
    </OwnForm>
  )
}

const EVERY = '*'

type Values = {
  /** yes, no, or empty: as the rules decide. */
  listing: string
  reason: string
  reasonForAll: string
}

/** The form for a manual listing and a manual exclusion of the product in a store. */
export function StateForm({
  store,
  read,
  close,
}: {
  store: CatalogStore

  read: Revised<OwnProduct>
  close: () => void
}) {
  const { t } = useTranslation(['product-edit', 'shared'])
  const { slug, name } = store
  const initial = (own: OwnProduct): Values => {
    const listed = own.listings?.[slug] ?? null
    return {
      listing: listed === null ? '' : listed ? 'yes' : 'no',
      reason: own.exclusions?.[slug] ?? '',
      reasonForAll: own.exclusions?.[EVERY] ?? '',
    }
  }
  const reasonOf = (text: string) => (text.trim() === '' ? null : text.trim())
  const bodyOf = (values: Values) => ({
    listings: { [slug]: values.listing === '' ? null : values.listing === 'yes' },
    exclusions: { [slug]: reasonOf(values.reason), [EVERY]: reasonOf(values.reasonForAll) },
  })
  const listingName = (value: string) =>
    t(value === '' ? 'state.byRules' : value === 'yes' ? 'state.always' : 'state.never')
  return (
    <OwnForm<Values>
      title={t('state.title')}
      read={read}
      close={close}
      initial={initial}
      body={bodyOf}
      back={(_, own) => bodyOf(initial(own))}
      reset={(own) => {
        const now = initial(own)
        const isSet = now.listing !== '' || now.reason !== '' || now.reasonForAll !== ''
        return isSet ? bodyOf({ listing: '', reason: '', reasonForAll: '' }) : null
      }}
      said={{ saved: t('state.saved', { store: name }), reset: t('state.reset') }}
      verbs={{ save: t('shared:save'), reset: t('state.byRulesAgain') }}
      fieldOf={(fault) => {
        if (fault.startsWith('listings')) return 'listing'
        return fault === `exclusions.${EVERY}` ? 'reasonForAll' : 'reason'
      }}
      shown={({ listing, reason, reasonForAll }) => [
        [t('state.listing'), listingName(listing)],
        [t('state.reason', { store: name }), reason],
        [t('state.reasonForAll'), reasonForAll],
      ]}
    >
      {(form) => (
        <>
          <Radio.Group
            label={t('state.listing')}
            value={form.values.listing}
            onChange={(listing) => form.set({ listing })}
            error={form.fault('listing')}
          >
            <div className={classes.radios}>
              {['', 'yes', 'no'].map((value) => (
                <Radio key={value} value={value} label={listingName(value)} />
              ))}
            </div>
          </Radio.Group>
          <TextInput
            {...form.text('reason')}
            label={t('state.reason', { store: name })}
            description={t('state.reasonNote')}
            autoComplete="off"
          />
          <TextInput {...form.text('reasonForAll')} label={t('state.reasonForAll')} autoComplete="off" />
        </>
      )}
    </OwnForm>
  )
}
