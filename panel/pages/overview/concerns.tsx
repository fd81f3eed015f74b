import { useTranslation } from 'react-i18next'
import { useNow } from '../../components/now.ts'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { useRead } from '../../api/read.ts'
import type { Answer } from '../../api/client.ts'
import { byUrgency, findingKind } from '../../resources/finding-kinds.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useHealthSentence } from '../../webhooks/health.tsx'
import { useFormats } from '../../words/format.ts'
import { Concern } from './concern.tsx'
import { ImportConcerns, type Silent } from './import-concerns.tsx'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'
import { StoreConcerns } from './store-concerns.tsx'
import type { StoreGroup } from './store-groups.ts'

/** Computing is expected to take this long at most; later it is said. */
const COMPUTING_LATE_MS = 60_000

type Counted = Answer<'GET /panel/api/accounts/{account_id}/finding-counts'>['data'][number]
/** What products lack is told by store. */
type Told = Counted & { kind: Exclude<Counted['kind'], 'products_incomplete'> }

const FINDINGS_LIVE_MS = 15_000

/** What was found in the account's data; undefined until it is known. */
export function useFindingCounts(): readonly Counted[] | undefined {
  const params = useAccountParams()
  return useRead('GET /panel/api/accounts/{account_id}/finding-counts', { params }, { everyMs: FINDINGS_LIVE_MS }).data
    ?.data
}

/** What is told on the first page, as far as it is known. */
export interface Known {
  overview: Overview
  findings?: readonly Counted[] | undefined
  stores: readonly StoreGroup[]
  silent?: readonly Silent[] | undefined
}

const isFailing = ({ health }: Overview['endpoints'][number]) => health.state === 'paused' || health.state === 'failing'

/** Whether something needs a person. */
export const needsPerson = ({ overview: { endpoints, imports }, findings = [], stores, silent = [] }: Known): boolean =>
  endpoints.some(isFailing) ||
  imports.held.length + imports.failing.length + silent.length > 0 ||
  [...stores.map(({ tone }) => tone), ...findings.map(({ kind }) => findingKind(kind).tone)].some(
    (tone) => tone === 'bad' || tone === 'warn',
  )

/** A sentence per concern, with its number and where to go; what needs a person is first. */
export function Concerns(known: Known) {
  const { t } = useTranslation('overview')
  const { overview, findings = [], stores, silent = [] } = known
  return (
    <Section title={needsPerson(known) ? t('lookAt') : t('allRight')}>
      <ul className={classes.concerns}>
        {overview.endpoints.filter(isFailing).map((endpoint) => (
          <EndpointConcern key={endpoint.id} endpoint={endpoint} />
        ))}
        <ImportConcerns imports={overview.imports} silent={silent} />
        {findings
          .filter((finding): finding is Told => finding.kind !== 'products_incomplete')
          .toSorted((a, b) => byUrgency(findingKind(a.kind).tone, findingKind(b.kind).tone))
          .map((finding) => (
            <FindingConcern key={finding.kind} finding={finding} />
          ))}
        <StoreConcerns products={overview.products} groups={stores} />
        <FeedConcern feed={overview.feed} />
        <EndpointsConcern endpoints={overview.endpoints} />
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
