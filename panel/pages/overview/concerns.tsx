import { useTranslation } from 'react-i18next'
import { useNow } from '../../components/now.ts'
import { Section } from '../../components/section.tsx'
import type { Tone } from '../../components/state-mark.tsx'
import { When } from '../../components/when.tsx'
import { useRead } from '../../api/read.ts'
import type { Answer } from '../../api/client.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useHealthSentence } from '../../webhooks/health.tsx'
import { useFormats } from '../../words/format.ts'
import { Concern } from './concern.tsx'
import { ImportConcerns, type Silent } from './import-concerns.tsx'
import { LacksConcerns, lacksMuch, type Lacking } from './lacks-concerns.tsx'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'

/** Computing is expected to take this long at most; later it is said. */
const COMPUTING_LATE_MS = 60_000

type Counted = Answer<'GET /panel/api/accounts/{account_id}/finding-counts'>['data'][number]

/** How urgent each finding is, and where it is worked off. */
const FINDINGS: Readonly<Record<Counted['kind'], { tone: Tone; to: string; search?: object }>> = {
  offers_without_rate: { tone: 'bad', to: 'rates' },
  stores_without_rate: { tone: 'bad', to: 'rates' },
  prices_held: { tone: 'warn', to: 'held-prices' },
  ean_collisions: { tone: 'warn', to: 'findings', search: { kind: 'ean_collisions' } },
  sku_collisions: { tone: 'warn', to: 'findings', search: { kind: 'sku_collisions' } },
  eans_invalid: { tone: 'off', to: 'findings', search: { kind: 'eans_invalid' } },
  supplier_paths_unmapped: { tone: 'off', to: 'categories', search: { tab: 'paths' } },
}
const FINDINGS_LIVE_MS = 15_000

/** What was found in the account's data; undefined until it is known. */
export function useFindingCounts(): readonly Counted[] | undefined {
  const params = useAccountParams()
  return useRead('GET /panel/api/accounts/{account_id}/finding-counts', { params }, { everyMs: FINDINGS_LIVE_MS }).data
    ?.data
}

/** Whether one of them, or an import, or what products lack needs a person, as far as they are known. */
export const needsPerson = (
  { imports }: Overview,
  findings: readonly Counted[] = [],
  lacking: readonly Lacking[] = [],
  silent: readonly Silent[] = [],
): boolean =>
  imports.held.length + imports.failing.length + silent.length > 0 ||
  lacking.some(lacksMuch) ||
  findings.some(({ kind }) => FINDINGS[kind].tone === 'bad' || FINDINGS[kind].tone === 'warn')

/** A sentence per concern, with its number and where to go; what needs a person is first. */
export function Concerns({
  overview,
  findings = [],
  lacking = [],
  silent = [],
}: {
  overview: Overview
  findings?: readonly Counted[] | undefined
  lacking?: readonly Lacking[] | undefined
  silent?: readonly Silent[] | undefined
}) {
  const { t } = useTranslation('overview')
  const concerns = [
    <FeedConcern key="feed" feed={overview.feed} />,
    <EndpointsConcern key="endpoints" endpoints={overview.endpoints} />,
    <ExcludedConcern key="excluded" stores={overview.stores} />,
  ]
  const failing = overview.endpoints.filter(({ health }) => health.state === 'paused' || health.state === 'failing')
  return (
    <Section
      title={failing.length === 0 && !needsPerson(overview, findings, lacking, silent) ? t('allRight') : t('lookAt')}
    >
      <ul className={classes.concerns}>
        {failing.map((endpoint) => (
          <EndpointConcern key={endpoint.id} endpoint={endpoint} />
        ))}
        <ImportConcerns imports={overview.imports} silent={silent} />
        {findings.map((finding) => (
          <FindingConcern key={finding.kind} finding={finding} />
        ))}
        <LacksConcerns stores={lacking} />
        {concerns}
      </ul>
    </Section>
  )
}

function EndpointConcern({ endpoint }: { endpoint: Overview['endpoints'][number] }) {
  const account = useAccount()
  const sentence = useHealthSentence(endpoint.health)
  const host = URL.canParse(endpoint.url) ? new URL(endpoint.url).host : endpoint.url
  return (
    <Concern tone={endpoint.health.state === 'paused' ? 'bad' : 'warn'} to={`/${account.id}/endpoints/${endpoint.id}`}>
      {host}: {sentence}
    </Concern>
  )
}

function FindingConcern({ finding: { kind, count, is_capped: isCapped } }: { finding: Counted }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const { tone, to, search } = FINDINGS[kind]
  return (
    <Concern tone={tone} to={`/${id}/${to}`} {...(search === undefined ? {} : { search })}>
      {isCapped ? `${t('findingsMore')} ` : ''}
      {t(`concerns.${kind}`, { count })}
    </Concern>
  )
}

function FeedConcern({ feed }: { feed: Overview['feed'] }) {
  const { t } = useTranslation('overview')
  const now = useNow()
  if (feed.waiting_products === 0 && feed.waiting_sweeps === 0) {
    return (
      <Concern tone={feed.last_change_at === null ? 'off' : 'good'}>
        {feed.last_change_at === null ? (
          t('feed.empty')
        ) : (
          <>
            {t('feed.current')} <When at={feed.last_change_at} />
          </>
        )}
      </Concern>
    )
  }
  const isLate =
    feed.waiting_since !== null && now.getTime() - new Date(feed.waiting_since).getTime() > COMPUTING_LATE_MS
  return (
    <Concern tone={isLate ? 'warn' : 'busy'}>
      {feed.waiting_products > 0
        ? t(feed.is_capped ? 'feed.computingMany' : 'feed.computing', { count: feed.waiting_products })
        : t('feed.sweeping', { count: feed.waiting_sweeps })}
      {feed.waiting_since === null ? null : (
        <>
          , {t('feed.since')} <When at={feed.waiting_since} />
        </>
      )}
    </Concern>
  )
}

function EndpointsConcern({ endpoints }: { endpoints: Overview['endpoints'] }) {
  const { t } = useTranslation('overview')
  const account = useAccount()
  const format = useFormats()
  if (endpoints.length === 0)
    return (
      <Concern tone="off" to={`/${account.id}/endpoints`}>
        {t('endpoints.none')}
      </Concern>
    )
  const of = (state: string) => endpoints.filter(({ health }) => health.state === state)
  const disabled = of('disabled').length
  const waiting = endpoints.reduce((sum, { health }) => sum + health.waiting.products, 0)
  const parts = [
    t('endpoints.healthy', { count: of('healthy').length }),
    ...(disabled === 0 ? [] : [t('endpoints.disabled', { count: disabled })]),
    ...(waiting === 0 ? [] : [t('endpoints.waiting', { count: waiting, shown: format.number(waiting) })]),
  ]
  return (
    <Concern tone={of('healthy').length === 0 ? 'off' : 'good'} to={`/${account.id}/endpoints`}>
      {parts.join('; ')}
    </Concern>
  )
}

function ExcludedConcern({ stores }: { stores: Overview['stores'] }) {
  const { t } = useTranslation('overview')
  const sum = (of: (store: Overview['stores'][number]) => number) =>
    stores.filter((store) => store.is_active).reduce((total, store) => total + of(store), 0)
  const excluded = sum((store) => store.excluded)
  const products = sum((store) => store.products)
  if (products === 0) return <Concern tone="off">{t('excluded.noProducts')}</Concern>
  const active = stores.filter((store) => store.is_active).length
  return (
    <Concern tone={excluded === 0 ? 'good' : excluded * 2 > products ? 'warn' : 'good'}>
      {t('excluded.listed', { count: products })} {t('excluded.inStores', { count: active })};{' '}
      {excluded === 0 ? t('excluded.none') : t('excluded.some', { count: excluded })}
    </Concern>
  )
}
