import { useTranslation } from 'react-i18next'
import { useReadPages } from '../../api/read-pages.ts'
import { changeResource, readResource } from '../../api/resources.ts'
import { ReadList } from '../../components/read-list.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { EditSource } from '../../resources/editor.tsx'
import { SUPPLIER_LIMITS } from '../../resources/supplier-spec.ts'
import { ProductLink } from '../../resources/product-name.tsx'
import { useAccount } from '../../session/account.ts'
import classes from './supplier.module.css'

const STALE = 'GET /v1/account/findings/stale-offers/{code}'

/** Limits by which files are held back; and the stale offers. */
export function LimitsTab({ code }: { code: string }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  return (
    <>
      <Section title={t('limits.title')} note={t('limits.note')}>
        <EditSource
          name={['suppliers', code]}
          spec={SUPPLIER_LIMITS}
          source={{
            read: () => readResource(account.id, 'suppliers', code),
            change: (body, revision) => changeResource(account.id, 'suppliers', code, body, revision),
          }}
        />
      </Section>
      <StaleOffers code={code} />
    </>
  )
}

function StaleOffers({ code }: { code: string }) {
  const { t } = useTranslation(['runs', 'resources'])
  const { id: accountId } = useAccount()
  const { rows, query } = useReadPages(STALE, { accountId, params: { code } })
  return (
    <Section title={t('staleOffers.title')} note={t('staleOffers.note')} isFlush>
      <ReadList
        query={query}
        rows={rows}
        label={t('staleOffers.title')}
        columns={[
          {
            id: 'sku',
            title: t('changes.sku'),
            cell: (row) => <ProductLink id={row.product_id}>{row.sku}</ProductLink>,
          },
          {
            id: 'since',
            title: t('staleOffers.since'),
            width: '30%',
            cell: (row) => <RelativeTime at={row.stale_since} />,
          },
        ]}
        keyOf={(row) => row.sku}
        empty={<p className={classes.none}>{t('staleOffers.none')}</p>}
        more={t('resources:more')}
        lines={3}
        isInSection
      />
    </Section>
  )
}
