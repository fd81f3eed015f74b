import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useProductNames } from '../../api/product-names.ts'
import { useRead } from '../../api/read.ts'
import { List, type Column } from '../../components/list.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/page.tsx'
import { FoundLine } from '../../resources/product-line.tsx'
import { ProductLink, useStoreName } from '../../resources/product-name.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './moved.module.css'

type Moved = Answer<'GET /panel/api/accounts/{account_id}/moved'>['data']
type Store = Moved['stores'][number]
type Price = Moved['prices'][number]

const LIVE_MS = 30_000
type Figure = 'up' | 'down' | 'appeared' | 'gone'

/** Changes in stores, which two sections of the page share. */
function useMoved() {
  return useRead('GET /panel/api/accounts/{account_id}/moved', { params: useAccountParams() }, { everyMs: LIVE_MS })
}

/** Changes in stores in the last 24 hours: prices that fell and rose, and products that were added and removed. */
export function MovedSection() {
  const { t } = useTranslation('overview')
  const moved = useMoved()
  return (
    <Section title={t('moved.title')}>
      <Loaded query={moved} lines={5}>
        {({ data }) => <StoresMoved stores={data.stores} active={data.active_stores} />}
      </Loaded>
    </Section>
  )
}

/** The prices that changed most. */
export function MostMovedSection() {
  const { t } = useTranslation('overview')
  const prices = useMoved().data?.data.prices ?? []
  return prices.length === 0 ? null : (
    <Section title={t('moved.most')} isFlush>
      <MostMoved prices={prices} />
    </Section>
  )
}

/** @param active the number of all active stores, of which `stores` are the first */
function StoresMoved({ stores, active }: { stores: readonly Store[]; active: number }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const most = Math.max(1, ...stores.flatMap(({ up, down }) => [up, down]))
  const prices = stores.reduce((sum, { up, down }) => sum + up + down, 0)
  const led = (store: Store, search: object, children: ReactNode) => (
    <Link
      to="/$account/catalog"
      params={{ account: String(id) }}
      search={{ store: store.slug, changed: 'day', ...search } as never}
    >
      {children}
    </Link>
  )
  const count = (store: Store, figure: Figure) => {
    const products = store[figure]
    return products === 0
      ? format.number(0)
      : led(store, { moved: figure }, `${format.number(products)}${store.is_capped ? t('moved.andMore') : ''}`)
  }
  const bar = (store: Store, figure: 'up' | 'down') => (
    <span className={classes.track} aria-hidden="true">
      <i style={{ width: `${(store[figure] / most) * 100}%` }} />
    </span>
  )
  return (
    <>
      <p className={classes.total}>
        <strong>{format.number(prices)}</strong>
        <span>
          {t('moved.prices', { count: prices })}
          {stores.some((store) => store.is_capped) ? t('moved.andMore') : ''}
          {active > stores.length ? t('moved.inFirst', { count: stores.length }) : ''}
        </span>
      </p>
      <table className={classes.stores}>
        <thead>
          <tr>
            <th scope="col">{t('stores.name')}</th>
            <th scope="col" className={classes.down}>
              {t('moved.down')}
            </th>
            <th scope="col" className={classes.up}>
              {t('moved.up')}
            </th>
            <th scope="col" className={classes.appeared}>
              {t('moved.appeared')}
            </th>
            <th scope="col">{t('moved.gone')}</th>
            <th scope="col" className={classes.wide}>
              {t('moved.out')}
            </th>
          </tr>
        </thead>
        <tbody>
          {stores.map((store) => (
            <tr key={store.slug}>
              <th scope="row" dir="auto">
                {led(store, {}, store.name)}
              </th>
              <td className={classes.down}>
                <span className={classes.bar}>
                  {count(store, 'down')}
                  {bar(store, 'down')}
                </span>
              </td>
              <td className={classes.up}>
                <span className={classes.bar}>
                  {bar(store, 'up')}
                  {count(store, 'up')}
                </span>
              </td>
              <td>{count(store, 'appeared')}</td>
              <td>{count(store, 'gone')}</td>
              <td className={classes.wide}>{led(store, { stock: 'out' }, t('show'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function MostMoved({ prices }: { prices: readonly Price[] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const storeName = useStoreName()
  const found = useProductNames(
    id,
    prices.map((price) => price.product_id),
  )
  const share = ({ before, now }: Price) => format.percent(Number(now) / Number(before) - 1)
  const change = (price: Price) =>
    t('moved.fromTo', {
      before: format.money(price.before, price.currency),
      now: format.money(price.now, price.currency),
    })
  const columns: Column<Price>[] = [
    {
      id: 'product',
      title: t('moved.product'),
      cell: (price) => (
        <ProductLink id={price.product_id}>
          <FoundLine id={price.product_id} found={found(price.product_id)} />
        </ProductLink>
      ),
    },
    {
      id: 'store',
      title: t('stores.name'),
      width: '22%',
      isWide: true,
      cell: (price) => <span dir="auto">{storeName(price.store)}</span>,
    },
    { id: 'change', title: t('moved.change'), width: '24%', isNumber: true, isWide: true, cell: change },
    {
      id: 'share',
      title: t('moved.share'),
      width: '90px',
      isNumber: true,
      cell: (price) => share(price),
    },
  ]
  return (
    <List
      label={t('moved.most')}
      columns={columns}
      rows={prices}
      keyOf={(price) => `${price.store} ${price.product_id}`}
      phoneLine={(price) => `${change(price)} · ${storeName(price.store)}`}
      empty={null}
    />
  )
}
