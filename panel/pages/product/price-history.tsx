import { NativeSelect, SegmentedControl } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore } from '../../api/catalog.ts'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { useResources } from '../../api/resources.ts'
import { Empty, Loaded, Waiting } from '../../components/loaded.tsx'
import { Facts } from '../../components/facts.tsx'
import { Section } from '../../components/page.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './product.module.css'
import { StoreChoice } from './store-choice.tsx'

type History = Answer<'GET /v1/account/products/{id}/price-history'>['data']
/** As the API sends it. Declared here, because its schema has unions that types do not follow. */
interface Entry {
  from: string
  to: string | null
  price: string | null
  currency: string | null
}
interface Lowest {
  price: string
  currency: string
  from: string
}

// lazy, because the chart's library is larger than the rest of the page
const StepChart = lazy(() => import('../../components/step-chart.tsx'))

/** The history of prices in one store for one customer group, as a chart or a table. */
export function PriceHistory({
  productId,
  stores,
  store,
  choose,
}: {
  productId: number
  stores: readonly CatalogStore[]
  store: CatalogStore
  choose: (slug: string) => void
}) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const groups = useResources(account.id, 'groups').data ?? []
  const [groupId, setGroupId] = useState<number | null>(null)
  const [form, setForm] = useState('chart')
  const group = groupId ?? groups.find((entry) => entry.is_default)?.id ?? null
  const history = useRead('GET /v1/account/products/{id}/price-history', {
    accountId: account.id,
    params: { id: productId },
    query: { store: store.slug, ...(groupId === null ? {} : { customer_group_id: groupId }) },
  })
  return (
    <Section
      title={t('history.title')}
      note={t('history.note')}
      actions={
        <div className={classes.choices}>
          <StoreChoice label={t('history.store')} stores={stores} store={store} choose={choose} />
          {groups.length > 1 ? (
            <NativeSelect
              className={classes.choice}
              aria-label={t('history.group')}
              value={String(group)}
              data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={(event) => setGroupId(Number(event.currentTarget.value))}
            />
          ) : null}
          <SegmentedControl
            aria-label={t('history.form')}
            value={form}
            onChange={setForm}
            data={[
              { value: 'chart', label: t('history.chart') },
              { value: 'table', label: t('history.table') },
            ]}
          />
        </div>
      }
    >
      <Loaded query={history}>{({ data }) => <Shown history={data} store={store} isTable={form === 'table'} />}</Loaded>
    </Section>
  )
}

function Shown({ history, store, isTable }: { history: History; store: CatalogStore; isTable: boolean }) {
  const { t } = useTranslation('product-edit')
  const format = useFormats()
  const entries = history.entries as unknown as Entry[]
  const lowest = history.lowest_30_days
  const before = history.lowest_before
  if (entries.length === 0) return <Empty>{t('history.none')}</Empty>
  const dated = ({ price, currency, from }: Lowest) =>
    t('history.since', { price: format.money(price, currency), date: format.day(new Date(from)) })
  const points = entries
    .toReversed()
    // without prices in the store's former currency, because amounts of two currencies make no line
    .filter((entry) => entry.currency === null || entry.currency === store.currency)
    .map((entry) => ({ at: entry.from, value: entry.price === null ? null : Number(entry.price) }))
  return (
    <>
      <Facts
        facts={[
          [t('history.lowest'), lowest === null ? '–' : dated(lowest)],
          [t('history.lowestBefore'), before === null ? '–' : dated(before)],
        ]}
      />
      {isTable ? (
        <table className={`${classes.offers} ${classes.apart}`}>
          <caption className={classes.caption}>{t('history.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('history.from')}</th>
              <th scope="col">{t('history.to')}</th>
              <th scope="col" className={classes.number}>
                {t('history.price')}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.from}>
                <td>{format.exact(new Date(entry.from))}</td>
                <td>{entry.to === null ? t('history.now') : format.exact(new Date(entry.to))}</td>
                <td className={classes.number}>
                  {entry.price === null || entry.currency === null
                    ? t('history.noPrice')
                    : format.money(entry.price, entry.currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <div className={classes.chart}>
          <Suspense fallback={<Waiting lines={5} />}>
            <StepChart
              label={t('history.title')}
              points={points}
              shown={(value) => format.money(value, store.currency)}
              summary={t('history.summary', { count: entries.length })}
            />
          </Suspense>
        </div>
      )}
    </>
  )
}
