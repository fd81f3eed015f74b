import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { Conflict } from '../../components/conflict.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { tell } from '../../components/told.tsx'
import { EndpointFields, type EndpointValues } from '../../webhooks/endpoint-fields.tsx'
import { reading } from '../../api/read.ts'
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
  // what the form began with: what others change meanwhile does not overwrite what is typed
  const [base, setBase] = useState(endpoint)
  const client = useQueryClient()
  const form = useForm({
    initial: valuesOf(base),
    async submit({ url, events, store }) {
      try {
        const body = { url, events, store: store === '' ? null : store }
        const request = { params, revision: base.revision, body }
        return (await call('PATCH /panel/api/accounts/{account_id}/endpoints/{endpoint_id}', request)).data
      } catch (error) {
        // so that what the other saved is shown at once
        if (asProblem(error).code === 'precondition-failed') await changed()
        throw error
      }
    },
    done(saved) {
      setBase(saved)
      void changed()
      tell(t('shared:saved'))
    },
  })
  const isConflict = form.error !== null && asProblem(form.error).code === 'precondition-failed'
  return (
    <Section title={t('settings')}>
      {isConflict ? (
        <Conflict
          differences={differences(valuesOf(endpoint), form.values, t)}
          takeTheirs={async () => {
            const { data } = await client.fetchQuery({ ...reading(ONE, { params }), staleTime: 0 })
            setBase(data)
            form.restart(valuesOf(data))
          }}
          keepMine={async () => {
            const { data } = await client.fetchQuery({ ...reading(ONE, { params }), staleTime: 0 })
            setBase(data)
            form.forgive()
          }}
        />
      ) : null}
      <Form form={form} submit={t('shared:save')} isErrorHidden={isConflict}>
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
