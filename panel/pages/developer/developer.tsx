import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Plain, Sign } from '../../components/plain.tsx'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/loaded.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { DeliveryLog } from '../../webhooks/delivery-log.tsx'
import { HealthSentence } from '../../webhooks/health.tsx'
import { linkLog } from '../../webhooks/log-source.ts'
import { TestSection } from '../../webhooks/test-section.tsx'
import { Verifier } from '../../webhooks/verifier.tsx'
import classes from './developer.module.css'
import { linkToken } from './link-token.ts'
import { addWords } from '../../words/add-words.ts'
import developerWords from '../../words/en/developer.json'

addWords({ developer: developerWords })

const LIVE_MS = 5_000

/** The page of a developer's link: one endpoint's health, log, tests and verifiers, and nothing else of the account. */
export function DeveloperPage() {
  const { t } = useTranslation(['developer', 'shared'])
  const [token] = useState(linkToken)
  const search = useSearch({ from: '/endpoint' })
  const navigate = useNavigate()
  const source = useMemo(() => linkLog(token), [token])
  const endpoint = useQuery({
    queryKey: ['linked-endpoint'],
    queryFn: async ({ signal }) => (await call('GET /panel/api/linked-endpoint', { linkToken: token, signal })).data,
    refetchInterval: ({ state }) => (state.error === null ? LIVE_MS : false),
    retry: false,
  })
  const { data } = endpoint
  useEffect(() => {
    if (data !== undefined) document.title = `${data.url} – Shelfwire`
  }, [data])
  if (data === undefined || (endpoint.isError && data === undefined))
    return (
      <Plain title={t('title')}>
        {endpoint.isError ? <ProblemNote error={endpoint.error} /> : <Waiting lines={4} />}
      </Plain>
    )
  return (
    <main className={classes.page}>
      <header className={classes.head}>
        <Sign size={24} />
        <div>
          <h1 dir="ltr">{data.url}</h1>
          <p className={classes.lead}>
            <span dir="auto">{data.account_name}</span> · {t('for')} <span dir="auto">{data.link_name}</span> ·{' '}
            {t('ends')} <RelativeTime at={data.link_expires_at} />
          </p>
        </div>
      </header>
      {endpoint.isError ? <ProblemNote error={endpoint.error} /> : null}
      <Section title={t('health')}>
        <p className={classes.sentence}>
          <HealthSentence health={data.health} />
        </p>
        <Facts
          facts={[
            [t('events'), data.events.map((event) => t(`shared:events.${event}`)).join(', ')],
            [t('store'), data.store ?? t('shared:allStores')],
            [
              t('accepted'),
              <RelativeTime key="accepted" at={data.health.last_delivered_at} empty={t('shared:never')} />,
            ],
          ]}
        />
      </Section>
      <TestSection source={source} isEnabled={data.is_enabled} />
      <h2 className={classes.heading}>{t('log')}</h2>
      <DeliveryLog
        source={source}
        search={search}
        change={(changes) =>
          void navigate({ to: '.', search: { ...search, ...changes }, replace: true, resetScroll: false })
        }
      />
      <div className={classes.after}>
        <Section title={t('verifier')}>
          <Verifier />
        </Section>
      </div>
    </main>
  )
}
