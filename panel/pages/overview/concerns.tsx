import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow, When } from '../../components/when.tsx'
import { Section } from '../../components/page.tsx'
import type { Tone } from '../../components/state-mark.tsx'
import { useRead } from '../../api/read.ts'
import type { Answer } from '../../api/client.ts'
import { findingKind } from '../../resources/finding-kinds.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useHealthSentence } from '../../webhooks/health.tsx'
import { isUntried } from '../../webhooks/untried.ts'
import { useFormats } from '../../words/format.ts'
import { Concern, ImportConcerns, RunningImports, type Silent } from './import-concerns.tsx'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'
import { StoreConcerns } from './store-concerns.tsx'
import type { StoreGroup } from './store-groups.ts'

/** Computing is expected to take this long at most; later it is said. */
const COMPUTING_LATE_MS = 60_000

type Counted = Answer<'GET /panel/api/accounts/{account_id}/finding-counts'>['data'][number]
/** What products lack, by store. */
type Told = Counted & { kind: Exclude<Counted['kind'], 'products_incomplete'> }

const FINDINGS_LIVE_MS = 15_000
const LIMITS_LIVE_MS = 60_000

/** What was found in the account's data; undefined until it is known. */
export function useFindingCounts(): readonly Counted[] | undefined {
  const params = useAccountParams()
  return useRead('GET /panel/api/accounts/{account_id}/finding-counts', { params }, { everyMs: FINDINGS_LIVE_MS }).data
    ?.data
}

/** The concerns on the first page, as far as they are known. */
export interface Known {
  overview: Overview
  findings?: readonly Counted[] | undefined
  stores: readonly StoreGroup[]
  /** How many limits of the account are nearly reached. */
  limits?: number | undefined
  silent?: readonly Silent[] | undefined
}

const isFailing = ({ health }: Overview['endpoints'][number]) => health.state === 'paused' || health.state === 'failing'

/** Whether something needs a person. */
export const needsPerson = ({
  overview: { endpoints, imports },
  findings = [],
  stores,
  silent = [],
  limits = 0,
}: Known): boolean =>
  limits > 0 ||
  endpoints.some(isFailing) ||
  imports.held.length + imports.failing.length + silent.length > 0 ||
  [...stores.map(({ tone }) => tone), ...findings.map(({ kind }) => findingKind(kind).tone)].some(
    (tone) => tone === 'bad' || tone === 'warn',
  )

interface ToldConcern {
  tone: Tone
  shown: ReactNode
}

/** A sentence per concern, with its number and where to go; what needs a person is first. */
export function Concerns(known: Known) {
  const { t } = useTranslation('overview')
  const { overview, findings = [], stores, silent = [], limits = 0 } = known
  const now = useNow()
  const told: ToldConcern[] = [
    ...overview.endpoints.filter(isFailing).map((endpoint): ToldConcern => ({
      tone: endpointTone(endpoint),
      shown: <EndpointConcern key={`endpoint ${endpoint.id}`} endpoint={endpoint} />,
    })),
    { tone: 'warn', shown: <ImportConcerns key="imports" imports={overview.imports} silent={silent} /> },
    { tone: 'warn', shown: limits === 0 ? null : <LimitsConcern key="limits" count={limits} /> },
    ...findings
      .filter((finding): finding is Told => finding.kind !== 'products_incomplete')
      .map((finding): ToldConcern => ({
        tone: findingKind(finding.kind).tone,
        shown: <FindingConcern key={finding.kind} finding={finding} />,
      })),
    ...TONES_OF_STORES.map((tone): ToldConcern => ({
      tone,
      shown: (
        <StoreConcerns
          key={`stores ${tone}`}
          products={overview.products}
          groups={stores.filter((group) => group.tone === tone)}
          all={stores}
        />
      ),
    })),
    { tone: 'busy', shown: <RunningImports key="running" running={overview.imports.running} /> },
    { tone: feedTone(overview.feed, now), shown: <FeedConcern key="feed" feed={overview.feed} /> },
    { tone: 'good', shown: <EndpointsConcern key="endpoints" endpoints={overview.endpoints} /> },
  ]
  const urgent = (['bad', 'warn'] as const).flatMap((tone) => told.filter((entry) => entry.tone === tone))
  const calm = told.filter(({ tone }) => tone !== 'bad' && tone !== 'warn')
  const list = (entries: typeof told) => <ul className={classes.concerns}>{entries.map(({ shown }) => shown)}</ul>
  if (!needsPerson(known) && feedTone(overview.feed, now) !== 'warn')
    return <Section title={t('allRight')}>{list([...urgent, ...calm])}</Section>
  return (
    <>
      <Section title={t('lookAt')}>{list(urgent)}</Section>
      <Section title={t('calm')}>{list(calm)}</Section>
    </>
  )
}

/** What stores list stands among the other concerns, by urgency. */
const TONES_OF_STORES = ['bad', 'warn', 'good', 'off'] as const satisfies readonly StoreGroup['tone'][]

const endpointTone = ({ health }: Overview['endpoints'][number]) => (health.state === 'paused' ? 'bad' : 'warn')

/** Computing is nothing to look at unless it takes too long. */
function feedTone(feed: Overview['feed'], now: Date): Tone {
  if (feed.waiting_products === 0 && feed.waiting_sweeps === 0) return feed.last_change_at === null ? 'off' : 'good'
  const since = feed.waiting_since
  return since !== null && now.getTime() - new Date(since).getTime() > COMPUTING_LATE_MS ? 'warn' : 'busy'
}

/** How many of the account’s stocks are nearly used up. Rates do not count: they recover. */
export function useNearLimits(): number | undefined {
  const { id: accountId } = useAccount()
  return useRead('GET /v1/account/limits', { accountId }, { everyMs: LIMITS_LIVE_MS }).data?.data.filter(
    (row) => row.kind === 'stock' && row.is_near,
  ).length
}

function LimitsConcern({ count }: { count: number }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  return (
    <Concern tone="warn" to={`/${id}/limits`}>
      {t('limits.near', { count })}
    </Concern>
  )
}

function EndpointConcern({ endpoint }: { endpoint: Overview['endpoints'][number] }) {
  const account = useAccount()
  const sentence = useHealthSentence(endpoint.health)
  const host = URL.canParse(endpoint.url) ? new URL(endpoint.url).host : endpoint.url
  return (
    <Concern tone={endpointTone(endpoint)} to={`/${account.id}/endpoints/${endpoint.id}`}>
      {host}: {sentence}
    </Concern>
  )
}

function FindingConcern({ finding: { kind, count, is_capped: isCapped } }: { finding: Told }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const { tone, place, search = {}, isWorkedOffThere } = findingKind(kind)
  const [to, asked] = isWorkedOffThere && place !== undefined ? [place, search] : ['findings', { kind }]
  return (
    <Concern tone={tone} to={`/${id}/${to}`} search={asked}>
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
      <Concern tone={feedTone(feed, now)}>
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
  return (
    <Concern tone={feedTone(feed, now)}>
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
  const untried = endpoints.filter(({ health }) => isUntried(health)).length
  const healthy = of('healthy').length - untried
  const parts = [
    ...(healthy === 0 && untried > 0 ? [] : [t('endpoints.healthy', { count: healthy })]),
    ...(untried === 0 ? [] : [t('endpoints.untried', { count: untried })]),
    ...(disabled === 0 ? [] : [t('endpoints.disabled', { count: disabled })]),
    ...(waiting === 0 ? [] : [t('endpoints.waiting', { count: waiting, shown: format.number(waiting) })]),
  ]
  return (
    <Concern tone={healthy === 0 ? 'off' : 'good'} to={`/${account.id}/endpoints`}>
      {parts.join('; ')}
    </Concern>
  )
}
