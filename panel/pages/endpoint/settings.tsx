import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Conflict } from '../../components/conflict.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { tell } from '../../components/told.tsx'
import { useConflict } from '../../components/use-conflict.ts'
import { EndpointFields, type EndpointValues } from '../../webhooks/endpoint-fields.tsx'
import type { Endpoint } from './endpoint.tsx'

const ONE = 'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}'

/** Where deliveries go and which; two people who edit it at once are told of each other. */
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
  const { base, theirs, begin, guard, choices } = useConflict(endpoint, async () => {
    // so that what the other saved is shown everywhere at once
    await changed()
    return (await call(ONE, { params })).data
  })
  const form = useForm({
    initial: valuesOf(base),
    async submit({ url, events, store }) {
      const body = { url, events, store: store === '' ? null : store }
      const request = { params, revision: base.revision, body }
      const changing = 'PATCH /panel/api/accounts/{account_id}/endpoints/{endpoint_id}'
      return (await guard(() => call(changing, request))).data
    },
    done(saved) {
      begin(saved)
      void changed()
      tell(t('shared:saved'))
    },
  })
  return (
    <Section title={t('settings')}>
      {theirs === null ? null : (
        <Conflict differences={differences(valuesOf(theirs), form.values, t)} {...choices(form, valuesOf)} />
      )}
      <Form form={form} submit={t('shared:save')} isErrorHidden={theirs !== null}>
        <EndpointFields form={form} />
      </Form>
    </Section>
  )
}

function valuesOf(endpoint: Endpoint): EndpointValues {
  return { url: endpoint.url, events: endpoint.events, store: endpoint.store ?? '' }
}

function differences(
  theirs: EndpointValues,
  mine: EndpointValues,
  t: TFunction<['endpoint', 'shared', 'webhooks']>,
): { name: string; theirs: string; mine: string }[] {
  const rows = [
    { name: t('webhooks:fields.url'), theirs: theirs.url, mine: mine.url },
    {
      name: t('webhooks:fields.events'),
      theirs: theirs.events.map((event) => t(`shared:events.${event}`)).join(', '),
      mine: mine.events.map((event) => t(`shared:events.${event}`)).join(', '),
    },
    {
      name: t('webhooks:fields.store'),
      theirs: theirs.store || t('shared:allStores'),
      mine: mine.store || t('shared:allStores'),
    },
  ]
  return rows.filter((row) => row.theirs !== row.mine)
}
