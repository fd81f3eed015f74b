import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Form, useRevisedForm } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { EndpointFields, type EndpointValues } from '../../webhooks/endpoint-fields.tsx'
import type { Endpoint } from './endpoint.tsx'

const PATH = '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}'

/** URL, events and store of the endpoint. Two people who edit it at once see each other's changes. */
export function SettingsSection({
  endpoint,
  params,
  changed,
}: {
  endpoint: Endpoint
  params: { account_id: number; endpoint_id: number }
  changed: () => Promise<void>
}) {
  const { t } = useTranslation(['endpoint', 'shared', 'webhooks'])
  const form = useRevisedForm<Endpoint, EndpointValues, Endpoint>({
    first: endpoint,
    async read() {
      // so that the other person's values are shown everywhere at once
      await changed()
      return (await call(`GET ${PATH}`, { params })).data
    },
    valuesOf,
    async save({ url, events, store }, { revision }) {
      const body = { url, events, store: store === '' ? null : store }
      return (await call(`PATCH ${PATH}`, { params, revision, body })).data
    },
    shown: ({ url, events, store }) => [
      [t('webhooks:fields.url'), url],
      [t('webhooks:fields.events'), events.map((event) => t(`shared:events.${event}`)).join(', ')],
      [t('webhooks:fields.store'), store || t('shared:allStores')],
    ],
    done(saved) {
      form.begin(saved)
      void changed()
      showMessage(t('shared:saved'))
    },
  })
  return (
    <Section title={t('settings')}>
      <Form form={form} submit={t('shared:save')}>
        <EndpointFields form={form} />
      </Form>
    </Section>
  )
}

function valuesOf(endpoint: Endpoint): EndpointValues {
  return { url: endpoint.url, events: endpoint.events, store: endpoint.store ?? '' }
}
