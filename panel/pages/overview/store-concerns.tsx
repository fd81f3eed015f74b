import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import type { Tone } from '../../components/state-mark.tsx'
import { MirrorSentence, type MirrorCheck } from '../../resources/mirror-check.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { Concern, type ConcernLine } from './import-concerns.tsx'
import { differingMirrors, equalMirrors, type Lacking, type Store, type StoreGroup } from './store-groups.ts'

const LIVE_MS = 60_000
const GROUPS_SHOWN = 5
const NAMES_SHOWN = 3
/** Gaps without which shops cannot sell a product. */
const NEEDED = ['no_title', 'no_price'] as const

/** Gaps of products in active stores; undefined until they are read. */
export function useLacking(): readonly Lacking[] | undefined {
  const { id: accountId } = useAccount()
  return useRead('GET /v1/account/findings/completeness', { accountId }, { everyMs: LIVE_MS }).data?.data.stores
}

/** Stores whose currency has no exchange rate; empty until they are read. */
export function useStoresWithoutRate(isEnabled: boolean): readonly string[] {
  const uses = useRead(
    'GET /panel/api/accounts/{account_id}/currencies',
    { params: useAccountParams() },
    { everyMs: LIVE_MS, isEnabled },
  )
  if (!isEnabled) return []
  return (uses.data?.data ?? []).flatMap(({ rate, stores }) => (rate === null ? stores : []))
}

/** Concerns about stores: one for stores that sell none of their products, and one for each gap that shops cannot do without. */
export function lackingConcerns(
  groups: readonly StoreGroup[],
  /**
   * Stores whose currency has no exchange rate. They have a concern of their own, which explains why nothing in them has a
   * price.
   */
  withoutRate: readonly string[],
): ConcernLine[] {
  const urgent = groups.filter(({ tone }) => tone === 'bad' || tone === 'warn')
  const isPriced = ({ stores }: StoreGroup) => stores.some(({ slug }) => !withoutRate.includes(slug))
  const closed = urgent.filter((group) => group.excluded === group.products && isPriced(group))
  return [
    ...closed.map((group): ConcernLine => ({
      kind: 'closed',
      tone: group.tone,
      shown: <ClosedConcern key={`closed ${group.stores[0]?.slug}`} group={group} />,
    })),
    ...NEEDED.flatMap((gap): ConcernLine[] => {
      const lacking = urgent.filter(
        (group) => group.gaps.some((row) => row.gap === gap) && (gap !== 'no_price' || isPriced(group)),
      )
      return lacking.length === 0
        ? []
        : [{ kind: gap, tone: 'warn', shown: <GapConcern key={gap} gap={gap} groups={lacking} all={groups} /> }]
    }),
  ]
}

/** Concerns about mirrors that differ from their stores, so that a shop shows other data than Shelfwire. */
export const mirrorConcerns = (stores: readonly Store[]): ConcernLine[] =>
  differingMirrors(stores).map(({ store, mirror }): ConcernLine => ({
    kind: 'mirror',
    tone: 'warn',
    shown: <MirrorConcern key={`mirror ${store.slug} ${mirror.name}`} tone="warn" store={store} mirror={mirror} />,
  }))

/** Mirrors that are equal to their stores. The pages of the stores list all of them. */
export function EqualMirrors({ stores }: { stores: readonly Store[] }) {
  return equalMirrors(stores)
    .slice(0, GROUPS_SHOWN)
    .map(({ store, mirror }) => (
      <MirrorConcern key={`${store.slug} ${mirror.name}`} tone="good" store={store} mirror={mirror} />
    ))
}

function MirrorConcern({ tone, store, mirror }: { tone: Tone; store: Store; mirror: MirrorCheck }) {
  const { id } = useAccount()
  return (
    <Concern tone={tone} to={`/${id}/stores`} search={{ open: store.slug }}>
      <bdi>{store.name}</bdi>
      {' · '}
      <MirrorSentence mirror={mirror} />
    </Concern>
  )
}

function ClosedConcern({ group }: { group: StoreGroup }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const search = { store: group.stores[0]?.slug, excluded: 'yes' }
  return (
    <Concern tone={group.tone} to={`/${id}/catalog`} search={search}>
      <Names stores={group.stores} />: {t('listing.closed', { count: group.products })}
    </Concern>
  )
}

/** One gap, with the stores in which products have it; each number links to these products. */
function GapConcern({
  gap,
  groups,
  all,
}: {
  gap: (typeof NEEDED)[number]
  groups: readonly StoreGroup[]
  all: readonly StoreGroup[]
}) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const countOf = (group: StoreGroup) => group.gaps.find((row) => row.gap === gap)?.products ?? 0
  const searchOf = ({ stores }: StoreGroup) => ({ store: stores[0]?.slug, incomplete: gap })
  const [only] = groups
  if (only === undefined) return null
  if (all.length === 1)
    return (
      <Concern tone="warn" to={`/${id}/catalog`} search={searchOf(only)}>
        {t(`lacks.${gap}`, { count: countOf(only) })}
      </Concern>
    )
  const rest = groups.slice(NAMES_SHOWN).reduce((sum, { stores }) => sum + stores.length, 0)
  return (
    <Concern tone="warn" to={`/${id}/findings`} search={{ kind: 'completeness_stores' }}>
      {t(`lacksIn.${gap}`)}:{' '}
      {groups.slice(0, NAMES_SHOWN).map((group, i) => (
        <Fragment key={group.stores[0]?.slug}>
          {i === 0 ? null : ' · '}
          <Names stores={group.stores} />{' '}
          <Link to="/$account/catalog" params={{ account: String(id) }} search={searchOf(group) as never}>
            {format.number(countOf(group))}
          </Link>
        </Fragment>
      ))}
      {rest === 0 ? null : ` ${t('listing.andMore', { count: rest })}`}
    </Concern>
  )
}

/** What stores list, exclude and lack; stores with the same figures share a line. */
export function StoreConcerns({
  products,
  groups,
}: {
  /** The number of all products of the account. */
  products: number
  groups: readonly StoreGroup[]
}) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const [only] = groups
  if (only === undefined) return null
  const toneOf = (group: StoreGroup) => (group.tone === 'good' ? 'good' : 'off')
  if (groups.every((group) => group.products === 0)) return <Concern tone="off">{t('listing.noProducts')}</Concern>
  if (groups.length === 1)
    return (
      <Concern tone={toneOf(only)} to={`/${id}/catalog`}>
        {t('listing.inEach', { count: only.stores.length })}: <Figures group={only} products={products} />
      </Concern>
    )
  return (
    <>
      {groups.slice(0, GROUPS_SHOWN).map((group) => (
        <Concern key={group.stores[0]?.slug} tone={toneOf(group)}>
          <Names stores={group.stores} />: <Figures group={group} products={products} />
        </Concern>
      ))}
      {groups.length <= GROUPS_SHOWN ? null : (
        <Concern tone="off">
          {t('listing.below', {
            count: groups.slice(GROUPS_SHOWN).reduce((sum, group) => sum + group.stores.length, 0),
          })}
        </Concern>
      )}
    </>
  )
}

function Names({ stores }: { stores: StoreGroup['stores'] }) {
  const { t } = useTranslation('overview')
  const rest = stores.length - NAMES_SHOWN
  return (
    <>
      {stores.slice(0, NAMES_SHOWN).map(({ slug, name }, i) => (
        <Fragment key={slug}>
          {i === 0 ? null : ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {rest <= 0 ? null : ` ${t('listing.andMore', { count: rest })}`}
    </>
  )
}

/** Numbers of excluded products and of gaps. Each links to these products; for several stores, to those of the first. */
function Figures({
  group: { stores, products: listed, excluded, gaps },
  products: total,
}: {
  group: StoreGroup
  products: number
}) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const store = stores[0]?.slug
  const products = (search: object, children: ReactNode) => (
    <Link to="/$account/catalog" params={{ account: String(id) }} search={{ store, ...search } as never}>
      {children}
    </Link>
  )
  return (
    <>
      {t('listing.exported', { exported: listed - excluded, count: Math.max(total, listed) })}
      {excluded === 0 ? null : <>, {products({ excluded: 'yes' }, t('listing.excluded', { count: excluded }))}</>}
      {total <= listed ? null : `, ${t('listing.unlisted', { count: total - listed })}`}
      {gaps.length === 0 ? null : '; '}
      {gaps.map(({ gap, products: count }, i) => (
        <Fragment key={gap}>
          {i === 0 ? null : ', '}
          {products({ incomplete: gap }, t(`lacks.${gap}`, { count }))}
        </Fragment>
      ))}
    </>
  )
}
