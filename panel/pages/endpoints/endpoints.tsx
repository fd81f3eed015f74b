import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Answer, call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Empty } from '../../components/loaded.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Page } from '../../components/page.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { Address } from '../../webhooks/address.tsx'
import { FirstDelivery } from '../../webhooks/first-delivery.tsx'
import { HealthSentence } from '../../webhooks/health.tsx'
import { isOnThisMachine, ListenCommand } from '../../webhooks/listen-command.tsx'
import { memberLog } from '../../webhooks/log-source.ts'
import { Verifier } from '../../webhooks/verifier.tsx'
import { addWords } from '../../words/add-words.ts'
import endpointsWords from '../../words/en/endpoints.json'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { EndpointFields, NEW_ENDPOINT } from '../../webhooks/endpoint-fields.tsx'

addWords({ endpoints: endpointsWords })

type Endpoint = Answer<'GET /panel/api/accounts/{account_id}/endpoints'>['data'][number]

const LIST = 'GET /panel/api/accounts/{account_id}/endpoints'
const LIVE_MS = 5_000

/** The account's webhook endpoints and their health. */
export function EndpointsPage() {
  const { t } = useTranslation(['endpoints', 'shared'])
  const account = useAccount()
  const search = useSearch({ from: '/signed/$account/endpoints' })
  const navigate = useNavigate()
  const refresh = useRefresh()
  const endpoints = useRead(LIST, { params: useAccountParams() }, { everyMs: LIVE_MS })
  const [made, setMade] = useState<{ id: number; url: string; secret: string } | null>(null)
  const setOpen = (isOpen: boolean) =>
    void navigate({ to: '.', search: { new: isOpen ? true : undefined, from: search.from }, replace: true })
  const columns = useColumns()
  const create = <Button onClick={() => setOpen(true)}>{t('create')}</Button>
  return (
    <Page title={t('title')} lead={t('lead')} actions={endpoints.data?.data.length === 0 ? undefined : create}>
      <ReadList
        query={endpoints}
        label={t('title')}
        columns={columns}
        rows={endpoints.data?.data}
        keyOf={(endpoint) => endpoint.id}
        open={(endpoint) => void navigate({ to: `/${account.id}/endpoints/${endpoint.id}` })}
        phoneLine={(endpoint) => <HealthSentence health={endpoint.health} />}
        empty={
          <Empty action={create} headings={columns.slice(0, 4).map(({ title }) => title)}>
            {t('none')}
          </Empty>
        }
      />
      {search.new === true ? (
        <NewEndpointDialog
          close={() => setOpen(false)}
          made={(endpoint) => {
            setOpen(false)
            setMade(endpoint)
            void refresh(LIST)
          }}
        />
      ) : null}
      {made === null ? null : (
        <ShownOnce
          title={t('made.title')}
          label={t('made.label')}
          secret={made.secret}
          close={() => {
            setMade(null)
            void navigate({
              to: search.from === 'steps' ? `/${account.id}/overview` : `/${account.id}/endpoints/${made.id}`,
            })
          }}
        >
          <FirstDelivery source={memberLog(account.id, made.id)} />
          {isOnThisMachine(made.url) ? <ListenCommand url={made.url} /> : null}
          <Verifier />
        </ShownOnce>
      )}
    </Page>
  )
}

function useColumns(): Column<Endpoint>[] {
  const { t } = useTranslation(['endpoints', 'shared'])
  return useMemo(
    () => [
      {
        id: 'url',
        title: t('url'),
        sortBy: (endpoint) => endpoint.url,
        cell: (endpoint) => <Address url={endpoint.url} />,
      },
      {
        id: 'health',
        title: t('health'),
        width: '42%',
        isWide: true,
        sortBy: (endpoint) => endpoint.health.state,
        cell: (endpoint) => <HealthSentence health={endpoint.health} />,
      },
      {
        id: 'scope',
        title: t('scope'),
        width: '12%',
        isWide: true,
        sortBy: (endpoint) => endpoint.store ?? '',
        cell: (endpoint) => endpoint.store ?? t('shared:allStores'),
      },
      {
        id: 'delivered',
        title: t('lastDelivered'),
        width: '16%',
        isWide: true,
        sortBy: (endpoint) => endpoint.health.last_delivered_at ?? '',
        cell: (endpoint) => <RelativeTime at={endpoint.health.last_delivered_at} empty={t('shared:never')} />,
      },
    ],
    [t],
  )
}

function NewEndpointDialog({
  close,
  made,
}: {
  close: () => void
  made: (endpoint: { id: number; url: string; secret: string }) => void
}) {
  const { t } = useTranslation('endpoints')
  const params = useAccountParams()
  const form = useForm({
    initial: NEW_ENDPOINT,
    submit: async ({ url, events, store }) =>
      (
        await call('POST /panel/api/accounts/{account_id}/endpoints', {
          params,
          body: { url, events, store: store === '' ? null : store },
        })
      ).data,
    done: made,
  })
  return (
    <Dialog title={t('new.title')} close={close} size={560}>
      <Form form={form} submit={t('create')}>
        <EndpointFields form={form} isNew />
        <p>{t('new.start')}</p>
      </Form>
    </Dialog>
  )
}
