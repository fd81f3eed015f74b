import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Spark } from '../../components/spark.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './glance.module.css'
import { sumOf } from './sum.ts'

type Margin = Answer<'GET /panel/api/accounts/{account_id}/glance'>['data']['stores'][number]

const LIVE_MS = 60_000
/**
 * The number of hours that are read is that of the large charts below, so that both share a request; the small charts show the last 24.
 */
const HOURS = 48
const HOURS_SHOWN = 24
/** The number of stores whose margin is shown at first. */
const MARGINS_SHOWN = 3

/**
 * The number of products and how many are out of stock, each store's margin, and a day's changes and deliveries. Each number of
 * products links to them.
 */
export function Glance({ products }: { products: number }) {
  const { t } = useTranslation('overview')
  const id = useId()
  const params = useAccountParams()
  const read = useRead('GET /panel/api/accounts/{account_id}/glance', { params }, { everyMs: LIVE_MS })
  const glance = read.data?.data
  return (
    <>
      {read.isError ? <ProblemNote error={read.error} retry={() => void read.refetch()} /> : null}
      <section className={classes.glance} aria-labelledby={id}>
        <h2 id={id} className={classes.title}>
          {t('glance.title')}
        </h2>
        <Products products={products} out={glance?.out_of_stock} />
        <Margins stores={glance?.stores ?? []} />
        <Day />
      </section>
    </>
  )
}

function Products({ products, out }: { products: number; out: number | undefined }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const led = (search: object, children: ReactNode) => (
    <Link to="/$account/catalog" params={{ account: String(id) }} search={search as never}>
      {children}
    </Link>
  )
  return (
    <div className={classes.tile}>
      <h3>{t('glance.products')}</h3>
      <div className={classes.figure}>{led({}, format.number(products))}</div>
      <div className={classes.chart}>
        {out === undefined ? null : (
          <div className={classes.track} aria-hidden="true">
            <span style={{ width: `${(Math.max(0, products - out) / products) * 100}%` }} />
          </div>
        )}
        <div className={classes.note}>
          {t('glance.out')} {out === undefined ? '–' : led({ stock: 'out' }, format.number(out))}
        </div>
      </div>
    </div>
  )
}

function Margins({ stores }: { stores: readonly Margin[] }) {
  const { t } = useTranslation('overview')
  const format = useFormats()
  const line = ({ slug, name, margin }: Margin) => (
    <div key={slug}>
      <dt dir="auto" title={name}>
        {name}
      </dt>
      <dd>{margin === null ? '–' : format.share(margin)}</dd>
    </div>
  )
  const isSample = stores.some((store) => store.is_sample)
  const rest = stores.slice(MARGINS_SHOWN)
  return (
    <div className={classes.tile}>
      <h3>{t('glance.margin')}</h3>
      <dl className={classes.margins}>{stores.slice(0, MARGINS_SHOWN).map(line)}</dl>
      {rest.length === 0 ? null : (
        <details className={classes.more}>
          <summary>{t('showAll', { count: stores.length })}</summary>
          <dl className={classes.margins}>{rest.map(line)}</dl>
        </details>
      )}
      <p className={`${classes.note} ${classes.chart}`}>
        {t('glance.note')}
        {isSample ? ` ${t('glance.sample')}` : ''}
      </p>
    </div>
  )
}

/** Changes that stores can read, and deliveries to their shops, in the last 24 hours. */
function Day() {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const params = useAccountParams()
  const read = useRead(
    'GET /panel/api/accounts/{account_id}/hours',
    { params, query: { hours: HOURS } },
    { everyMs: LIVE_MS },
  ).data?.data
  const hours = read?.slice(-HOURS_SHOWN) ?? []
  const shown = (sum: number | null) => (sum === null ? '–' : format.number(sum))
  const changes = hours.map((hour) => hour.changes)
  const failed = hours.map((hour) => hour.failed)
  const failures = sumOf(failed) ?? 0
  return (
    <>
      <div className={classes.tile}>
        <h3>
          <Link to="/$account/catalog" params={{ account: String(id) }} search={{ changed: 'day' } as never}>
            {t('glance.changes')}
          </Link>
        </h3>
        <div className={classes.figure}>{shown(sumOf(changes))}</div>
        <div className={classes.chart}>
          <Spark counts={changes.map((count) => count ?? 0)} />
        </div>
      </div>
      <div className={classes.tile}>
        <h3>
          <Link to="/$account/deliveries" params={{ account: String(id) }}>
            {t('glance.deliveries')}
          </Link>
        </h3>
        <div className={classes.figure}>
          {shown(sumOf(hours.map((hour) => hour.delivered)))}{' '}
          {failures === 0 ? null : (
            <small className={`${classes.note} ${classes.failed}`}>
              {t('glance.failed', { shown: format.number(failures) })}
            </small>
          )}
        </div>
        <div className={classes.chart}>
          <Spark counts={hours.map((hour) => hour.delivered + hour.failed)} marked={failed} />
        </div>
      </div>
    </>
  )
}
