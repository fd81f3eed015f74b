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
import classes from './overview.module.css'

type Moved = Answer<'GET /panel/api/accounts/{account_id}/moved'>['data']
type Store = Moved['stores'][number]
type Price = Moved['prices'][number]

const LIVE_MS = 30_000
/** Each with how it is marked; the sum over the stores is the strong number. */
const FIGURES = ['up', 'down', 'appeared', 'gone'] as const

/** What changed in stores since yesterday: prices that rose and fell, products that came and went, and the prices that changed most. */
export function MovedSection() {
  const { t } = useTranslation('overview')
  const moved = useRead(
    'GET /panel/api/accounts/{account_id}/moved',
    { params: useAccountParams() },
    { everyMs: LIVE_MS },
  )
  return (
    <Section title={t('moved.title')} note={t('moved.note')} isFlush>
      <Loaded query={moved} lines={5}>
        {({ data }) => (
          <>
            <StoresMoved stores={data.stores} />
            {data.prices.length === 0 ? null : <MostMoved prices={data.prices} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function StoresMoved({ stores }: { stores: readonly Store[] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const led = (store: Store, search: object, children: ReactNode) => (
    <Link
      to="/$account/catalog"
      params={{ account: String(id) }}
      search={{ store: store.slug, changed: 'day', ...search } as never}
    >
      {children}
    </Link>
  )
  const count = (store: Store, figure: (typeof FIGURES)[number]) => {
    const products = store[figure]
    return products === 0
      ? format.number(0)
      : led(store, { moved: figure }, `${format.number(products)}${store.is_capped ? t('moved.andMore') : ''}`)
  }
  const columns: Column<Store>[] = [
    { id: 'name', title: t('stores.name'), cell: (store) => <span dir="auto">{store.name}</span> },
    ...FIGURES.map((figure): Column<Store> => ({
      id: figure,
      title: t(`moved.${figure}`),
      width: '14%',
      isNumber: true,
      isWide: true,
      cell: (store) => count(store, figure),
    })),
    {
      id: 'out',
      title: t('moved.out'),
      width: '18%',
      isNumber: true,
      isWide: true,
      cell: (store) => led(store, { stock: 'out' }, t('show')),
    },
  ]
  return (
    <List
      label={t('moved.title')}
      columns={columns}
      rows={stores}
      keyOf={(store) => store.slug}
      phoneLine={(store) =>
        FIGURES.map((figure) => `${t(`moved.${figure}`)} ${format.number(store[figure])}`).join(' · ')
      }
      empty={null}
    />
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
      title: t('moved.most'),
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
      cell: (price) => <span className={classes.share}>{share(price)}</span>,
    },
  ]
  return (
    <div className={classes.below}>
      <List
        label={t('moved.most')}
        columns={columns}
        rows={prices}
        keyOf={(price) => `${price.store} ${price.product_id}`}
        phoneLine={(price) => `${change(price)} · ${storeName(price.store)}`}
        empty={null}
      />
    </div>
  )
}
