import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useStores } from '../api/catalog.ts'
import type { FormState } from '../components/form.tsx'
import { useAccount } from '../session/account.ts'
import './words.ts'

export type EndpointValues = {
  url: string
  events: Event[]
  /** Slug; empty: all stores. */
  store: string
}
type Event = 'price' | 'content' | 'removed'

const EVENTS: readonly Event[] = ['price', 'content', 'removed']

export const NEW_ENDPOINT: EndpointValues = { url: '', events: [...EVENTS], store: '' }

/**
 * The owner's settings of an endpoint: URL, events, store. The service checks the URL by the same rules as at every delivery.
 */
export function EndpointFields({ form, isNew = false }: { form: FormState<EndpointValues>; isNew?: boolean }) {
  const { t } = useTranslation(['webhooks', 'shared'])
  const account = useAccount()
  const { stores: known = [] } = useStores(account.id)
  const { store } = form.values
  return (
    <>
      <TextInput
        {...form.text('url')}
        label={t('fields.url')}
        description={t('fields.urlHint')}
        placeholder="https://"
        type="url"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        data-autofocus={isNew || undefined}
      />
      <Checkbox.Group
        label={t('fields.events')}
        value={form.values.events}
        onChange={(events) => form.set({ events: EVENTS.filter((event) => events.includes(event)) })}
        error={form.fault('events')}
      >
        {EVENTS.map((event) => (
          <Checkbox
            key={event}
            mt="xs"
            value={event}
            label={t(`shared:events.${event}`)}
            description={t(`fields.eventMeans.${event}`)}
          />
        ))}
      </Checkbox.Group>
      <NativeSelect
        {...form.text('store')}
        label={t('fields.store')}
        data={[
          { value: '', label: t('shared:allStores') },
          // an inactive store is missing in the list that was read
          ...(store === '' || known.some(({ slug }) => slug === store) ? [] : [{ value: store, label: store }]),
          ...known.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` })),
        ]}
      />
    </>
  )
}
