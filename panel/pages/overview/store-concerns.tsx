import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { useAccount } from '../../session/account.ts'
import { Concern } from './import-concerns.tsx'
import type { Lacking, StoreGroup } from './store-groups.ts'

const LIVE_MS = 60_000
const GROUPS_SHOWN = 5
const NAMES_SHOWN = 3

/** What products lack in active stores; undefined until it is known. */
export function useLacking(): readonly Lacking[] | undefined {
  const { id: accountId } = useAccount()
  return useRead('GET /v1/account/findings/completeness', { accountId }, { everyMs: LIVE_MS }).data?.data.stores
}

/** How many products there are, and what stores list, exclude and lack: together where they have the same figures. */
export function StoreConcerns({
  products,
  groups,
  all,
}: {
  /** All that the account has. */
  products: number
  groups: readonly StoreGroup[]
  /** All groups of the account; these are some of them. */
  all: readonly StoreGroup[]
}) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const [only] = groups
  const stores = groups.reduce((sum, group) => sum + group.stores.length, 0)
  if (only === undefined) return null
  if (all.every((group) => group.products === 0)) return <Concern tone="off">{t('listing.noProducts')}</Concern>
  if (all.length === 1)
    return (
      <Concern tone={only.tone} to={`/${id}/catalog`}>
        {t('listing.inEach', { count: stores })}: <Figures group={only} products={products} />
      </Concern>
    )
  return (
    <>
      {groups.slice(0, GROUPS_SHOWN).map((group) => (
        <Concern key={group.stores[0]?.slug} tone={group.tone}>
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

/** What is excluded and what is missing; each number leads to these products, of several stores to those of the first. */
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
