import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { Section } from '../../components/page.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './overview.module.css'

const LIVE_MS = 60_000

/** How many products there are, how many of them are out of stock, and what each store earns. Each number of products leads to them. */
export function Glance({ products }: { products: number }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const glance = useRead(
    'GET /panel/api/accounts/{account_id}/glance',
    { params: useAccountParams() },
    { everyMs: LIVE_MS },
  ).data?.data
  const led = (count: number, search: object) => (
    <Link to="/$account/catalog" params={{ account: String(id) }} search={search as never}>
      {format.number(count)}
    </Link>
  )
  const isSample = glance?.stores.some((store) => store.is_sample) === true
  return (
    <Section title={t('glance.title')} note={`${t('glance.note')}${isSample ? ` ${t('glance.sample')}` : ''}`}>
      <dl className={classes.glance}>
        <div>
          <dt>{t('glance.products')}</dt>
          <dd>{led(products, {})}</dd>
        </div>
        <div>
          <dt>{t('glance.out')}</dt>
          <dd>{glance === undefined ? '–' : led(glance.out_of_stock, { stock: 'out' })}</dd>
        </div>
        {glance?.stores.map(({ slug, name, margin }) => (
          <div key={slug}>
            <dt>
              {t('glance.margin')} <bdi>{name}</bdi>
            </dt>
            <dd>{margin === null ? '–' : format.share(margin)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
