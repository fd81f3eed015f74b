import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Confirm } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { memberLog } from '../../webhooks/log-source.ts'
import { Verifier } from '../../webhooks/verifier.tsx'
import classes from './endpoint.module.css'
import { HealthSection } from './health-section.tsx'
import { LinksSection } from './links.tsx'
import { RecentSection } from './recent.tsx'
import { RewindDialog } from './rewind.tsx'
import { SecretSection } from './secret.tsx'
import { SettingsSection } from './settings.tsx'
import { TestSection } from '../../webhooks/test-section.tsx'
import { addWords } from '../../words/add-words.ts'
import endpointWords from '../../words/en/endpoint.json'

addWords({ endpoint: endpointWords })

export type Endpoint = Answer<'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}'>['data']

const ONE = 'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}'
const LIST = 'GET /panel/api/accounts/{account_id}/endpoints'
const LIVE_MS = 3_000

/** One endpoint: its state, deliveries, secret, and links for developers. */
export function EndpointPage() {
  const { t } = useTranslation('endpoint')
  const account = useAccount()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const { endpoint: id } = useParams({ from: '/signed/$account/endpoints/$endpoint' })
  const params = { ...useAccountParams(), endpoint_id: Number(id) }
  const endpoint = useRead(ONE, { params }, { everyMs: LIVE_MS })
  const [asking, setAsking] = useState<'delete' | 'disable' | 'rewind' | null>(null)
  const changed = async () => await refresh(ONE, LIST)
  const enable = async (is_enabled: boolean) => {
    await call('PATCH /panel/api/accounts/{account_id}/endpoints/{endpoint_id}', { params, body: { is_enabled } })
    await changed()
    showMessage(is_enabled ? t('enabled') : t('disabled'))
  }
  const above = { to: `/${account.id}/endpoints`, label: t('above') }
  const data = endpoint.data?.data
  return (
    <Page title={data?.url ?? t('title')} above={above}>
      <Loaded query={endpoint} lines={8}>
        {({ data: shown }) => (
          <>
            <div className={classes.columns}>
              <div>
                <HealthSection endpoint={shown} params={params} changed={changed} enable={() => void enable(true)} />
                <RecentSection params={params} />
                <TestSection source={memberLog(account.id, shown.id)} isEnabled={shown.is_enabled} />
                <SettingsSection key={shown.id} endpoint={shown} params={params} changed={changed} />
              </div>
              <div>
                <SecretSection endpoint={shown} params={params} changed={changed} />
                <Section title={t('verifier')}>
                  <Verifier />
                </Section>
                <LinksSection params={params} />
              </div>
            </div>
            <Section title={t('more.title')}>
              <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
                <Button variant="default" onClick={() => setAsking('rewind')}>
                  {t('rewind.open')}
                </Button>
                {shown.is_enabled ? (
                  <Button variant="default" onClick={() => setAsking('disable')}>
                    {t('disable.action')}
                  </Button>
                ) : null}
                <Button variant="default" c="var(--sw-bad)" onClick={() => setAsking('delete')}>
                  {t('delete.action')}
                </Button>
              </div>
            </Section>
            {asking === 'rewind' ? (
              <RewindDialog params={params} close={() => setAsking(null)} changed={changed} />
            ) : null}
            {asking === 'disable' ? (
              <Confirm
                title={t('disable.title')}
                action={t('disable.action')}
                isDangerous={false}
                close={() => setAsking(null)}
                run={() => enable(false)}
              >
                {t('disable.text')}
              </Confirm>
            ) : null}
            {asking === 'delete' ? (
              <Confirm
                title={t('delete.title')}
                action={t('delete.action')}
                typed={hostOf(shown.url)}
                close={() => setAsking(null)}
                run={async () => {
                  await call('DELETE /panel/api/accounts/{account_id}/endpoints/{endpoint_id}', { params })
                  showMessage(t('delete.done'))
                  await navigate({ to: above.to })
                  await refresh(LIST)
                }}
              >
                {t('delete.text', { count: shown.health.waiting.products })}
              </Confirm>
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
