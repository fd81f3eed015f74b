import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../components/code-block.tsx'
import { Facts } from '../components/facts.tsx'
import { Loaded } from '../components/loaded.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SidePanel } from '../components/dialog.tsx'
import { StateMark, type Tone } from '../components/state-mark.tsx'
import { showMessage } from '../components/messages.tsx'
import { Due, RelativeTime } from '../components/relative-time.tsx'
import { useFormats } from '../words/format.ts'
import classes from './delivery-drawer.module.css'
import { type Attempt, DELIVERY_TONES, type DeliveryDetail, type LogSource } from './log-source.ts'
import { useFailureWords } from './health.tsx'
import { SignatureCheck } from './signature-check.tsx'
import './words.ts'

const LIVE_MS = 3_000
const IDS_SHOWN = 12
const OUTCOME_TONES: Readonly<Record<Attempt['outcome'], Tone>> = {
  delivered: 'good',
  failed: 'bad',
  own_fault: 'warn',
  stale: 'off',
}

/** One delivery: the request body, the answer to each attempt, and redelivery. */
export function DeliveryDrawer({
  source,
  deliveryId,
  close,
  showProduct,
}: {
  source: LogSource
  deliveryId: string
  close: () => void
  showProduct: (productId: number) => void
}) {
  const { t } = useTranslation(['webhooks', 'shared'])
  const query = useQuery({
    queryKey: [...source.key, 'delivery', deliveryId],
    queryFn: ({ signal }) => source.delivery(deliveryId, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? LIVE_MS : false),
  })
  return (
    <SidePanel title={t('delivery.title')} close={close}>
      <Loaded query={query} lines={8}>
        {(delivery) => (
          <>
            <Summary delivery={delivery} />
            {delivery.is_redeliverable ? <Redeliver source={source} delivery={delivery} /> : null}
            <Products ids={delivery.product_ids} show={showProduct} />
            <h3 className={classes.heading}>{t('delivery.request')}</h3>
            {delivery.body === null ? (
              <p className={classes.quiet}>{t('delivery.noBody')}</p>
            ) : (
              <>
                <CodeBlock title={t('delivery.body')} code={delivery.body} wraps />
                <SignatureCheck key={delivery.id} body={delivery.body} />
              </>
            )}
            <h3 className={classes.heading}>{t('delivery.attempts', { count: delivery.attempt_log.length })}</h3>
            <Attempts attempts={delivery.attempt_log} />
          </>
        )}
      </Loaded>
    </SidePanel>
  )
}

function Summary({ delivery }: { delivery: DeliveryDetail }) {
  const { t } = useTranslation(['webhooks', 'shared'])
  return (
    <>
      <p className={classes.state}>
        <StateMark tone={DELIVERY_TONES[delivery.state]}>{t(`states.${delivery.state}`)}</StateMark>
      </p>
      <p className={classes.quiet}>{t(`stateMeans.${delivery.state}`)}</p>
      <div className={classes.facts}>
        <Facts
          facts={[
            [t('log.event'), t(`shared:events.${delivery.event}`)],
            [t('log.store'), delivery.store ?? t('shared:allStores')],
            [t('log.origin'), t(`origins.${delivery.origin}`)],
            [t('delivery.planned'), <RelativeTime key="planned" at={delivery.created_at} />],
            ...(delivery.next_attempt_at === null
              ? []
              : ([[t('delivery.next'), <Due key="next" at={delivery.next_attempt_at} />]] as const)),
            ['X-Service-Delivery', <code key="id">{delivery.id}</code>],
          ]}
        />
      </div>
    </>
  )
}

function Redeliver({ source, delivery }: { source: LogSource; delivery: DeliveryDetail }) {
  const { t } = useTranslation(['webhooks', 'shared'])
  const client = useQueryClient()
  const failure = useFailureWords()
  const send = useMutation({
    mutationFn: async () => {
      const { attempt } = await source.redeliver(delivery.id)
      showMessage(
        attempt === null
          ? t('delivery.queued')
          : attempt.outcome === 'delivered'
            ? t('delivery.accepted', { status: attempt.status ?? '' })
            : t('delivery.refused', { why: failure(attempt) }),
      )
      await client.invalidateQueries({ queryKey: source.key })
    },
  })
  return (
    <div className={classes.redeliver}>
      <ProblemNote error={send.error} />
      <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
        {t('delivery.redeliver')}
      </Button>
      <p className={classes.quiet}>{t('delivery.redeliverMeans')}</p>
    </div>
  )
}

function Products({ ids, show }: { ids: readonly number[]; show: (id: number) => void }) {
  const { t } = useTranslation(['webhooks', 'shared'])
  const [isWhole, setWhole] = useState(false)
  if (ids.length === 0) return null
  const shown = isWhole ? ids : ids.slice(0, IDS_SHOWN)
  return (
    <>
      <h3 className={classes.heading}>{t('shared:products', { count: ids.length })}</h3>
      <div className={classes.ids}>
        {shown.map((id) => (
          <button key={id} type="button" title={t('delivery.onlyProduct')} onClick={() => show(id)}>
            {id}
          </button>
        ))}
        {shown.length === ids.length ? null : (
          <button type="button" className={classes.rest} onClick={() => setWhole(true)}>
            {t('delivery.showAll', { count: ids.length - shown.length })}
          </button>
        )}
      </div>
    </>
  )
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const { t } = useTranslation(['webhooks', 'shared'])
  const format = useFormats()
  const failure = useFailureWords()
  if (attempts.length === 0) return <p className={classes.quiet}>{t('delivery.noAttempts')}</p>
  return (
    <ol className={classes.attempts} reversed>
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.id}>
          <div className={classes.attempt}>
            <StateMark tone={OUTCOME_TONES[attempt.outcome]}>{t(`outcomes.${attempt.outcome}`)}</StateMark>
            <span className={classes.quiet}>
              {t('delivery.attempt', { number: attempt.number })} · <RelativeTime at={attempt.began_at} /> ·{' '}
              {format.duration(attempt.duration_ms)}
            </span>
          </div>
          <p>{failure(attempt)}</p>
          {attempt.answer === null || attempt.answer === '' ? null : (
            <CodeBlock title={t('delivery.answer')} code={attempt.answer} wraps />
          )}
        </li>
      ))}
    </ol>
  )
}
