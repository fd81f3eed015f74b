import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { HealthSentence, useFailureWords } from '../../webhooks/health.tsx'
import type { Endpoint } from './endpoint.tsx'
import classes from './endpoint.module.css'

/** The endpoint's health as a sentence, with actions. */
export function HealthSection({
  endpoint,
  params,
  changed,
  enable,
}: {
  endpoint: Endpoint
  params: { account_id: number; endpoint_id: number }
  changed: () => Promise<void>
  enable: () => void
}) {
  const { t } = useTranslation(['endpoint', 'shared', 'webhooks'])
  const failure = useFailureWords()
  const { health } = endpoint
  const resume = useMutation({
    mutationFn: async () => {
      await call('POST /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/resume', { params })
      await changed()
      showMessage(t('resumed'))
    },
  })
  const advice = health.state === 'healthy' ? null : t(`webhooks:advice.${health.state}`)
  return (
    <Section title={t('health')}>
      <ProblemNote error={resume.error} />
      <p className={classes.sentence}>
        <HealthSentence health={health} />
      </p>
      {advice === null ? null : <p className={classes.advice}>{advice}</p>}
      {health.parked === 0 ? null : <p className={classes.advice}>{t('webhooks:advice.parked')}</p>}
      {health.state === 'healthy' && health.parked === 0 ? null : (
        <div className={classes.actions}>
          {health.state === 'disabled' ? (
            <Button onClick={enable}>{t('enable')}</Button>
          ) : health.state !== 'paused' ? null : (
            <Button loading={resume.isPending} onClick={() => resume.mutate()}>
              {t('resume')}
            </Button>
          )}
          {health.parked === 0 ? null : (
            <LinkButton to={`/${params.account_id}/deliveries`} search={{ endpoint: endpoint.id, state: 'parked' }}>
              {t('webhooks:advice.showParked')}
            </LinkButton>
          )}
        </div>
      )}
      <div className={classes.facts}>
        <Facts
          facts={[
            [
              t('lastAccepted'),
              <RelativeTime key="accepted" at={health.last_delivered_at} empty={t('shared:never')} />,
            ],
            ...(health.last_failure === null
              ? []
              : ([
                  [
                    t('lastFailure'),
                    <span key="failure">
                      {failure(health.last_failure)}, <RelativeTime at={health.last_failure.at} />
                    </span>,
                  ],
                ] as const)),
            ...(health.waiting.since === null
              ? []
              : ([[t('waitingSince'), <RelativeTime key="since" at={health.waiting.since} />]] as const)),
          ]}
        />
      </div>
    </Section>
  )
}
