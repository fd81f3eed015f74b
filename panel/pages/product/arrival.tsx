import { useRef } from 'react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { Section } from '../../components/page.tsx'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import classes from './product.module.css'

const LIVE_MS = 1_000
const ENDPOINTS_SHOWN = 5

/** For the checklist's last step: each endpoint, with the delivery of this product's change when it arrives. */
export function Arrival({ productId }: { productId: number }) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const endpoints = useRead('GET /panel/api/accounts/{account_id}/endpoints', { params: useAccountParams() })
  const shown = (endpoints.data?.data ?? []).slice(0, ENDPOINTS_SHOWN)
  return (
    <Section title={t('arrival.title')} note={t('arrival.note')}>
      {endpoints.data === undefined ? null : shown.length === 0 ? (
        <p className={classes.quiet}>
          {t('arrival.none')}{' '}
          <Link to="/$account/endpoints" params={{ account: String(account.id) }} search={{ new: true }}>
            {t('arrival.create')}
          </Link>
        </p>
      ) : (
        <ul className={classes.marked} aria-live="polite">
          {shown.map(({ id, url }) => (
            <li key={id}>
              <AtEndpoint endpointId={id} url={url} productId={productId} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function AtEndpoint({ endpointId, url, productId }: { endpointId: number; url: string; productId: number }) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const deliveries = useRead(
    'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/deliveries',
    {
      params: { account_id: account.id, endpoint_id: endpointId },
      query: { product_id: productId, per_page: 1 },
    },
    { everyMs: LIVE_MS },
  )
  const newest = deliveries.data?.data[0]
  // earlier deliveries are not of the coming change
  const before = useRef<number | null>(null)
  if (before.current === null && deliveries.data !== undefined) before.current = newest?.number ?? 0
  const state = newest === undefined || newest.number <= (before.current ?? 0) ? 'none' : newest.state
  const [tone, words] = SAID[state]
  return (
    <>
      <StateMark tone={tone}>{t(`arrival.${words}`)}</StateMark>{' '}
      <Link
        to="/$account/endpoints/$endpoint"
        params={{ account: String(account.id), endpoint: String(endpointId) }}
        dir="ltr"
      >
        {url}
      </Link>
    </>
  )
}

const SAID = {
  none: ['off', 'waits'],
  waiting: ['busy', 'sent'],
  delivered: ['good', 'arrived'],
  failed: ['bad', 'failed'],
  parked: ['warn', 'failed'],
  expired: ['off', 'sent'],
  void: ['off', 'sent'],
  empty: ['off', 'sent'],
} as const satisfies Record<string, readonly [Tone, string]>
