import { NativeSelect } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { Empty, Loaded } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page, Sheet } from '../../components/page.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { DeliveryLog } from '../../webhooks/delivery-log.tsx'
import { HealthSentence } from '../../webhooks/health.tsx'
import { memberLog } from '../../webhooks/log-source.ts'
import classes from './deliveries.module.css'
import { addWords } from '../../words/add-words.ts'
import deliveriesWords from '../../words/en/deliveries.json'

addWords({ deliveries: deliveriesWords })

const LIVE_MS = 5_000

/** The delivery logs of the account's endpoints, one at a time. */
export function DeliveriesPage() {
  const { t } = useTranslation('deliveries')
  const account = useAccount()
  const search = useSearch({ from: '/signed/$account/deliveries' })
  const navigate = useNavigate()
  const endpoints = useRead(
    'GET /panel/api/accounts/{account_id}/endpoints',
    { params: useAccountParams() },
    { everyMs: LIVE_MS },
  )
  const known = endpoints.data?.data ?? []
  const shown = known.find(({ id }) => id === search.endpoint) ?? known[0]
  const shownId = shown?.id
  const source = useMemo(() => (shownId === undefined ? null : memberLog(account.id, shownId)), [account.id, shownId])
  const change = (changes: Partial<typeof search>) =>
    void navigate({
      to: '.',
      search: { ...search, ...changes },
      // opening a row is a step in the history, changing a filter is not
      replace: !('delivery' in changes),
      resetScroll: false,
    })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        shown === undefined ? undefined : (
          <LinkButton to={`/${account.id}/endpoints/${shown.id}`}>{t('openEndpoint')}</LinkButton>
        )
      }
    >
      <Loaded query={endpoints}>
        {() =>
          shown === undefined || source === null ? (
            <Sheet>
              <Empty action={<LinkButton to={`/${account.id}/endpoints`}>{t('createEndpoint')}</LinkButton>}>
                {t('noEndpoint')}
              </Empty>
            </Sheet>
          ) : (
            <>
              <p className={classes.health}>
                <HealthSentence health={shown.health} />
              </p>
              <DeliveryLog
                key={shown.id}
                source={source}
                search={search}
                change={change}
                beside={
                  <NativeSelect
                    aria-label={t('endpoint')}
                    className={classes.endpoint}
                    value={String(shown.id)}
                    data={known.map(({ id, url }) => ({ value: String(id), label: url }))}
                    onChange={(event) =>
                      change({ endpoint: Number(event.currentTarget.value), delivery: undefined, product: undefined })
                    }
                  />
                }
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
