import { NativeSelect, Radio, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { hasLines, isTextField, NAME_FIELDS, TEXT_FIELDS } from '../../../contract/product-fields.ts'
import { useStores } from '../../api/catalog.ts'
import { call, type Answer, type Request } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFieldNames } from '../../words/field-names.ts'
import classes from './catalog.module.css'

// Changes of many products at once: the service finds the products, stores the work and performs it, even if the page
// is closed.

const ROUTE = 'POST /panel/api/accounts/{account_id}/products/bulk'
type Body = NonNullable<Request<typeof ROUTE>['body']>

export interface BulkFormProps {
  selection: Body['selection']
  /** null: all that match, not counted yet. */
  count: number | null
  close: () => void
  done: () => void
}

/** Sends a change, and shows its operation afterwards. */
function useSend({ selection, done }: BulkFormProps) {
  const { t } = useTranslation('catalog')
  const params = useAccountParams()
  const refresh = useRefresh()
  return {
    send: (change: Omit<Body, 'selection'>): Promise<Answer<typeof ROUTE>> =>
      call(ROUTE, { params, body: { selection, ...change } }),
    sent: () => {
      void refresh('GET /v1/account/operations')
      showMessage(t('bulk.begun'))
      done()
    },
  }
}

/** `override.value` is a fault of the field `value`. */
const fieldOf = (name: string) => name.split('.').at(-1) ?? name

function useWords(count: number | null) {
  const { t } = useTranslation('catalog')
  return count === null ? t('bulk.toMatching') : t('bulk.to', { count })
}

export function ExcludeForm({ isExcluded, ...props }: BulkFormProps & { isExcluded: boolean }) {
  const { t } = useTranslation('catalog')
  const { stores = [] } = useStores(useAccount().id)
  const { send, sent } = useSend(props)
  const form = useForm({
    initial: { store: '', reason: '' },
    submit: ({ store, reason }) =>
      send({
        exclusion: { store: store === '' ? null : store, reason: isExcluded ? reason.trim() || 'manual' : null },
      }),
    done: sent,
    fieldOf,
  })
  return (
    <Dialog title={t(isExcluded ? 'bulk.exclude' : 'bulk.include')} close={props.close}>
      <p className={classes.note}>
        {useWords(props.count)} {t(isExcluded ? 'exclude.note' : 'include.note')}
      </p>
      <Form form={form} submit={t(isExcluded ? 'bulk.exclude' : 'bulk.include')}>
        <NativeSelect
          {...form.text('store')}
          label={t('exclude.store')}
          data={[
            { value: '', label: t('exclude.everyStore') },
            ...stores.map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
        />
        {isExcluded ? (
          <TextInput
            {...form.text('reason')}
            label={t('exclude.reason')}
            description={t('exclude.reasonNote')}
            placeholder="manual"
            autoComplete="off"
          />
        ) : null}
      </Form>
    </Dialog>
  )
}

export function FieldForm(props: BulkFormProps) {
  const { t } = useTranslation('catalog')
  const fieldName = useFieldNames()
  const choices = useRead('GET /panel/api/accounts/{account_id}/product-choices', { params: useAccountParams() })
  const locales = choices.data?.data.locales ?? []
  const { send, sent } = useSend(props)
  const form = useForm({
    initial: { field: 'manufacturer', locale: '', value: '', what: 'set' },
    submit: ({ field, locale, value, what }) =>
      send({
        override: {
          field,
          ...(isTextField(field) ? { locale: locale === '' ? (locales[0] ?? '') : locale } : {}),
          value: what === 'reset' ? null : value,
        },
      }),
    done: sent,
    fieldOf,
  })
  const { field, what } = form.values
  return (
    <Dialog title={t('bulk.field')} close={props.close}>
      <p className={classes.note}>{useWords(props.count)}</p>
      <Form form={form} submit={t(what === 'reset' ? 'field.reset' : 'field.set')}>
        <NativeSelect
          {...form.text('field')}
          label={t('field.field')}
          data={[...TEXT_FIELDS, ...NAME_FIELDS].map((name) => ({ value: name, label: fieldName(name) }))}
        />
        {isTextField(field) ? (
          <NativeSelect {...form.text('locale')} label={t('field.locale')} data={[...locales]} />
        ) : null}
        <Radio.Group value={what} onChange={(value) => form.set({ what: value })} label={t('field.what')}>
          <div className={classes.radios}>
            <Radio value="set" label={t('field.setIt')} />
            <Radio value="reset" label={t('field.resetIt')} />
          </div>
        </Radio.Group>
        {what === 'reset' ? null : isTextField(field) && hasLines(field) ? (
          <Textarea {...form.text('value')} label={t('field.value')} rows={5} />
        ) : (
          <TextInput {...form.text('value')} label={t('field.value')} autoComplete="off" />
        )}
      </Form>
    </Dialog>
  )
}

export function StockForm(props: BulkFormProps) {
  const { t } = useTranslation('catalog')
  const { send, sent } = useSend(props)
  const form = useForm({
    initial: { quantity: '', cost: '', what: 'set' },
    submit: ({ quantity, cost, what }) =>
      send({
        stock:
          what === 'remove'
            ? { quantity: null }
            : { quantity: quantity.trim(), ...(cost.trim() === '' ? {} : { cost: cost.trim() }) },
      }),
    done: sent,
    fieldOf,
  })
  const { what } = form.values
  return (
    <Dialog title={t('bulk.stock')} close={props.close}>
      <p className={classes.note}>{useWords(props.count)}</p>
      <Form form={form} submit={t(what === 'remove' ? 'stockForm.remove' : 'stockForm.set')}>
        <Radio.Group value={what} onChange={(value) => form.set({ what: value })} label={t('field.what')}>
          <div className={classes.radios}>
            <Radio value="set" label={t('stockForm.setIt')} />
            <Radio value="remove" label={t('stockForm.removeIt')} />
          </div>
        </Radio.Group>
        {what === 'remove' ? null : (
          <>
            <TextInput
              {...form.text('quantity')}
              label={t('stockForm.quantity')}
              inputMode="numeric"
              autoComplete="off"
              data-autofocus
            />
            <TextInput
              {...form.text('cost')}
              label={t('stockForm.cost')}
              description={t('stockForm.costNote')}
              inputMode="decimal"
              autoComplete="off"
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
