import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../components/relative-time.tsx'
import { Section } from '../../components/page.tsx'
import { useRead } from '../../api/read.ts'
import type { Answer } from '../../api/client.ts'
import { findingKind } from '../../resources/finding-kinds.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useHealthSentence } from '../../webhooks/health.tsx'
import { isUntried } from '../../webhooks/untried.ts'
import { useFormats } from '../../words/format.ts'
import { Concern, type OverdueSupplier, type ConcernLine, useImportConcerns } from './import-concerns.tsx'
import { feedTone } from './live.tsx'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'
import {
  EqualMirrors,
  lackingConcerns,
  mirrorConcerns,
  StoreConcerns,
  useStoresWithoutRate,
} from './store-concerns.tsx'
import { differingMirrors, type StoreGroup } from './store-groups.ts'

type Counted = Answer<'GET /panel/api/accounts/{account_id}/finding-counts'>['data'][number]
/** Counted findings other than gaps, which have lines by store. */
type ListedCount = Counted & { kind: Exclude<Counted['kind'], 'products_incomplete'> }

const FINDINGS_LIVE_MS = 15_000
const LIMITS_LIVE_MS = 60_000

/** The number of findings of each kind; undefined until they are read. */
export function useFindingCounts(): readonly Counted[] | undefined {
  const params = useAccountParams()
  return useRead('GET /panel/api/accounts/{account_id}/finding-counts', { params }, { everyMs: FINDINGS_LIVE_MS }).data
    ?.data
}

/** The data of the concerns, as far as it is read. */
export interface Known {
  overview: Overview
  findings?: readonly Counted[] | undefined
  stores: readonly StoreGroup[]
  /** How many limits of the account are nearly reached. */
  limits?: number | undefined
  silent?: readonly OverdueSupplier[] | undefined
}

const isFailing = ({ health }: Overview['endpoints'][number]) => health.state === 'paused' || health.state === 'failing'

/** Whether something needs a person. */
export const needsPerson = ({
  overview: { endpoints, imports, stores: listed },
  findings = [],
  stores,
  silent = [],
  limits = 0,
}: Known): boolean =>
  limits > 0 ||
  endpoints.some(isFailing) ||
  differingMirrors(listed).length > 0 ||
  imports.held.length + imports.failing.length + silent.length > 0 ||
  [...stores.map(({ tone }) => tone), ...findings.map(({ kind }) => findingKind(kind).tone)].some(
    (tone) => tone === 'bad' || tone === 'warn',
  )

/** The number of lines that are shown at first. */
const SHOWN = 5
/** The most marks; more would be a block of colour. */
const MARKS_SHOWN = 24
/** Findings that need a decision about prices. They precede gaps; other findings follow them. */
const DECISIONS: readonly string[] = ['prices_held', 'prices_below_cost']

/**
 * What needs a person: lines of several kinds, the most important first, of which only the first few are shown until the reader
 * asks for all.
 */
export function Decisions({ overview, findings = [], stores, silent = [], limits = 0 }: Known) {
  const { t } = useTranslation('overview')
  const [isAll, setAll] = useState(false)
  const unpriced = useStoresWithoutRate(findings.some(({ kind }) => kind === 'stores_without_rate'))
  const imports = useImportConcerns(overview.imports, silent)
  const found = findings
    .filter((finding): finding is ListedCount => finding.kind !== 'products_incomplete')
    .map((finding): ConcernLine => ({
      kind: finding.kind,
      tone: findingKind(finding.kind).tone,
      shown: <FindingConcern key={finding.kind} finding={finding} />,
    }))
  const told: ConcernLine[] = [
    ...overview.endpoints.filter(isFailing).map((endpoint): ConcernLine => ({
      kind: 'endpoint',
      tone: endpointTone(endpoint),
      shown: <EndpointConcern key={`endpoint ${endpoint.id}`} endpoint={endpoint} />,
    })),
    ...imports,
    ...(limits === 0
      ? []
      : [{ kind: 'limits', tone: 'warn', shown: <LimitsConcern key="limits" count={limits} /> } as const]),
    ...found.filter(({ kind }) => DECISIONS.includes(kind)),
    ...mirrorConcerns(overview.stores),
    ...lackingConcerns(stores, unpriced),
    ...found.filter(({ kind }) => !DECISIONS.includes(kind)),
  ]
  const urgent = (['bad', 'warn'] as const).flatMap((tone) => firstOfKinds(told.filter((entry) => entry.tone === tone)))
  if (urgent.length === 0) return null
  const shown = isAll ? urgent : urgent.slice(0, SHOWN)
  return (
    <Section title={t('lookAt')}>
      <Weight entries={urgent} />
      <ul className={classes.concerns}>{shown.map((entry) => entry.shown)}</ul>
      {urgent.length <= SHOWN ? null : (
        <Button
          className={classes.all ?? ''}
          variant="subtle"
          size="compact-sm"
          aria-expanded={isAll}
          onClick={() => setAll(!isAll)}
        >
          {isAll ? t('showFewer') : t('showAll', { count: urgent.length })}
        </Button>
      )}
    </Section>
  )
}

/** The number of pending decisions, emphasized, with a mark for each by its urgency. */
function Weight({ entries }: { entries: readonly ConcernLine[] }) {
  const { t } = useTranslation('overview')
  const format = useFormats()
  const bad = entries.filter(({ tone }) => tone === 'bad').length
  const parts = [
    ...(bad === 0 ? [] : [t('decide.urgent', { count: bad })]),
    ...(bad === entries.length ? [] : [t('decide.look', { count: entries.length - bad })]),
  ]
  return (
    <div className={classes.weight}>
      <strong>{format.number(entries.length)}</strong>
      <span className={classes.marks} aria-hidden="true">
        {entries.slice(0, MARKS_SHOWN).map(({ tone }, i) => (
          // marks of one tone are interchangeable
          <i key={i} data-tone={tone} />
        ))}
      </span>
      <span>{parts.join(' · ')}</span>
    </div>
  )
}

/** The first entry of each kind, then the others. */
function firstOfKinds(entries: readonly ConcernLine[]): ConcernLine[] {
  const isFirst = (entry: ConcernLine) => entries.find(({ kind }) => kind === entry.kind) === entry
  return [...entries.filter(isFirst), ...entries.filter((entry) => !isFirst(entry))]
}

/** What is in order, in progress, or not urgent. */
export function CalmConcerns(known: Known) {
  const { t } = useTranslation('overview')
  const { overview, findings = [], stores } = known
  const now = useNow()
  const isRight = !needsPerson(known) && feedTone(overview.feed, now) !== 'warn'
  return (
    <Section title={t(isRight ? 'allRight' : 'calm')}>
      <ul className={classes.concerns}>
        <StoreConcerns products={overview.products} groups={stores} />
        <EqualMirrors stores={overview.stores} />
        <EndpointsConcern endpoints={overview.endpoints} />
        {findings
          .filter((finding): finding is ListedCount => finding.kind !== 'products_incomplete')
          .filter(({ kind }) => findingKind(kind).tone === 'off')
          .map((finding) => (
            <FindingConcern key={finding.kind} finding={finding} />
          ))}
      </ul>
    </Section>
  )
}

const endpointTone = ({ health }: Overview['endpoints'][number]) => (health.state === 'paused' ? 'bad' : 'warn')

/** How many stock budgets of the account are nearly used up. Rates are left out, because they recover. */
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

function FindingConcern({ finding: { kind, count, is_capped: isCapped } }: { finding: ListedCount }) {
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
