import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Loaded, Waiting } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { List } from '../../components/list.tsx'
import { useNoticeList } from '../../webhooks/notice-list.tsx'
import { Glance } from './glance.tsx'
import type { Connected } from './connect.ts'
import { Onboarding, onboardingDone, shopOf } from './onboarding.tsx'
import { CalmConcerns, Decisions, needsPerson, useFindingCounts, useNearLimits, type Known } from './concerns.tsx'
import { Fullness } from './fullness.tsx'
import { useSilent } from './import-concerns.tsx'
import { FeedState, Running } from './live.tsx'
import { MostMovedSection, MovedSection } from './moved.tsx'
import classes from './overview.module.css'
import { useLacking } from './store-concerns.tsx'
import { storeGroups, type Lacking } from './store-groups.ts'
import { Stores } from './stores.tsx'
import { addWords } from '../../words/add-words.ts'
import overviewWords from '../../words/en/overview.json'

addWords({ overview: overviewWords })

export type Overview = Answer<'GET /panel/api/accounts/{account_id}/overview'>['data']

const LIVE_MS = 5_000
/** The interval while the reader waits for the effect of a step that they have just done elsewhere. */
const AWAITED_MS = 1_500
const Charts = lazy(() => import('./charts.tsx'))
const ConnectedWindow = lazy(() => import('./connected.tsx'))

/** The overview: whether everything is all right, on one screen. */
export function OverviewPage() {
  const { t } = useTranslation('overview')
  const account = useAccount()
  const [isAwaited, setAwaited] = useState(false)
  // kept by the page, because the steps disappear when the last one is done, and the secrets cannot be read again
  const [connected, setConnected] = useState<Connected | null>(null)
  const overview = useRead(
    'GET /panel/api/accounts/{account_id}/overview',
    { params: useAccountParams() },
    { everyMs: isAwaited ? AWAITED_MS : LIVE_MS },
  )
  const next = overview.data?.data.checklist.steps.find(
    ({ step, is_done: isDone }) => !isDone && step !== 'prices',
  )?.step
  const isNextAwaited = next === 'read' || next === 'delivered' || next === 'products'
  if (isAwaited !== isNextAwaited) setAwaited(isNextAwaited)
  const notices = useNoticeList()
  const findings = useFindingCounts()
  const lacking = useLacking()
  const silent = useSilent()
  const limits = useNearLimits()
  const known = (data: Overview): Known => ({
    overview: data,
    findings,
    silent,
    limits,
    stores: storeGroups(data.stores, lacking),
  })
  return (
    <Page title={t('title')} lead={<Lead overview={overview.data?.data} />}>
      <Loaded query={overview} lines={10}>
        {({ data }) => (
          <>
            <Running running={data.imports.running} />
            <Concerning known={known(data)} lacking={lacking} connected={setConnected} />
            {data.products === 0 ? null : (
              <>
                <Glance products={data.products} />
                <MostMovedSection />
              </>
            )}
            {lacking === undefined ? null : <Fullness stores={data.stores} lacking={lacking} />}
            {data.feed.last_change_number === 0 ? null : (
              <Suspense fallback={<Waiting lines={6} />}>
                <Charts />
              </Suspense>
            )}
            {needsPerson(known(data)) ? <CalmConcerns {...known(data)} /> : null}
            {data.products === 0 && data.stores.length < 2 ? null : (
              <Stores stores={data.stores} lacking={lacking} countedAt={data.counted_at} />
            )}
            {data.notices.length === 0 ? null : (
              <Section title={t('notices')} isFlush>
                <List {...notices} rows={data.notices} />
              </Section>
            )}
            {connected === null ? null : (
              <Suspense fallback={null}>
                <ConnectedWindow
                  of={connected}
                  name={shopOf(data, account).name}
                  store={shopOf(data, account).slug}
                  change={setConnected}
                  close={() => setConnected(null)}
                />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Whether stores read current payloads; before there are any, the account's name. */
function Lead({ overview }: { overview: Overview | undefined }) {
  const account = useAccount()
  return overview === undefined || (overview.products === 0 && overview.imports.running.length === 0) ? (
    <span dir="auto">{account.name}</span>
  ) : (
    <FeedState feed={overview.feed} />
  )
}

/**
 * The page's order: what needs a person, then the steps of a new account; what is in order is far below. If nothing needs a person, it
 * says so here, unless the account is still empty. Recent changes are beside it.
 */
function Concerning({
  known,
  lacking,
  connected,
}: {
  known: Known
  lacking: readonly Lacking[] | undefined
  connected: (made: Connected) => void
}) {
  const { overview } = known
  const isUrgent = needsPerson(known)
  const done = onboardingDone(overview, lacking)
  // until the gaps are read, the prices step is not shown as undone
  const isOnboarded = done.file && done.shop && (done.prices || lacking === undefined)
  const steps = isOnboarded ? null : (
    <Onboarding key="onboarding" overview={overview} lacking={lacking} connected={connected} />
  )
  if (!isUrgent && overview.products === 0 && overview.imports.running.length === 0) return steps
  const first = (
    <div className={overview.products === 0 ? '' : classes.top}>
      {isUrgent ? <Decisions {...known} /> : <CalmConcerns {...known} />}
      {overview.products === 0 ? null : <MovedSection />}
    </div>
  )
  return isUrgent ? (
    <>
      {first}
      {steps}
    </>
  ) : (
    <>
      {steps}
      {first}
    </>
  )
}
