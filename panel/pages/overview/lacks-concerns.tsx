import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { useAccount } from '../../session/account.ts'
import { Concern } from './concern.tsx'

export type Lacking = Answer<'GET /v1/account/findings/completeness'>['data']['stores'][number]

const LIVE_MS = 60_000
/** What is told of here, in this order; the findings have the rest. */
const TOLD = ['no_title', 'no_image', 'no_price'] as const
/** Shops cannot sell what lacks these. */
const NEEDED: readonly string[] = ['no_title', 'no_price']
const STORES_SHOWN = 5

const countOf = ({ gaps }: Lacking, gap: string) => gaps.find((row) => row.gap === gap)?.products ?? 0
const lacks = (store: Lacking) => TOLD.reduce((sum, gap) => sum + countOf(store, gap), 0)

/** Whether products of a store lack what shops need. */
export const lacksMuch = (store: Lacking) => NEEDED.some((gap) => countOf(store, gap) > 0)

/** What products lack in stores, the most in need first; undefined until it is known. */
export function useLacking(): readonly Lacking[] | undefined {
  const { id: accountId } = useAccount()
  const { data } = useRead('GET /v1/account/findings/completeness', { accountId }, { everyMs: LIVE_MS })
  return data?.data.stores
    .filter((store) => lacks(store) > 0)
    .toSorted((a, b) => Number(lacksMuch(b)) - Number(lacksMuch(a)) || lacks(b) - lacks(a))
}

/** A sentence per store on what its products lack; each number leads to these products. */
export function LacksConcerns({ stores }: { stores: readonly Lacking[] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const rest = stores.length - STORES_SHOWN
  return (
    <>
      {stores.slice(0, STORES_SHOWN).map((store) => (
        <Concern key={store.store} tone={lacksMuch(store) ? 'warn' : 'off'}>
          {store.store}:{' '}
          {TOLD.filter((gap) => countOf(store, gap) > 0).map((gap, i) => (
            <span key={gap}>
              {i === 0 ? null : ', '}
              <Link
                to="/$account/catalog"
                params={{ account: String(id) }}
                search={{ store: store.store, incomplete: gap }}
              >
                {t(`lacks.${gap}`, { count: countOf(store, gap) })}
              </Link>
            </span>
          ))}
        </Concern>
      ))}
      {rest <= 0 ? null : (
        <Concern tone="off" to={`/${id}/findings`} search={{ kind: 'completeness_stores' }}>
          {t('lacks.more', { count: rest })}
        </Concern>
      )}
    </>
  )
}
