import { useTranslation } from 'react-i18next'
import { useReadPages } from '../../api/read-pages.ts'
import { changeResource, readResource } from '../../api/resources.ts'
import { List } from '../../components/list.tsx'
import { More } from '../../components/paged.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/section.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { When } from '../../components/when.tsx'
import { EditSource } from '../../resources/editor.tsx'
import type { FormSpec } from '../../resources/field.ts'
import { percent, whole } from '../../resources/inputs.tsx'
import { ProductLink } from '../../resources/product-link.tsx'
import { useAccount } from '../../session/account.ts'
import classes from './supplier.module.css'

/** Members of a supplier that say when an import is held, or silence is told. */
export const LIMIT_FIELDS = [
  'zeroed_share_max',
  'refused_share_max',
  'prices_lost_share_max',
  'prices_zero_share_max',
  'silent_days_max',
] as const

const STALE = 'GET /v1/account/findings/stale-offers/{code}'

const SPEC: FormSpec = {
  name: 'limits',
  required: [],
  fixed: [],
  fields: {
    zeroed_share_max: percent(),
    refused_share_max: percent(),
    prices_lost_share_max: percent(),
    prices_zero_share_max: percent(),
    silent_days_max: whole<number | null>({ isNullable: true }),
  },
}

/** Which files are held until somebody has looked at them; and the offers that keep what they had. */
export function LimitsTab({ code }: { code: string }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  return (
    <>
      <Section title={t('limits.title')} note={t('limits.note')}>
        <EditSource
          name={['suppliers', code]}
          spec={SPEC}
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
  if (query.isError) return <ProblemNote error={query.error} retry={() => void query.refetch()} />
  return (
    <Section title={t('staleOffers.title')} note={t('staleOffers.note')} isFlush>
      {rows === undefined ? (
        <Waiting lines={3} />
      ) : rows.length === 0 ? (
        <p className={classes.none}>{t('staleOffers.none')}</p>
      ) : (
        <List
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
              cell: (row) => <When at={row.stale_since} />,
            },
          ]}
          rows={rows}
          keyOf={(row) => row.sku}
          empty={null}
        />
      )}
      <More query={query} words={t('resources:more')} />
    </Section>
  )
}
