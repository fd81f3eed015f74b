import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { Section } from '../../components/page.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccount } from '../../session/account.ts'
import { DELIVERY_TONES } from '../../webhooks/log-source.ts'
import { useFormats } from '../../words/format.ts'
import '../../webhooks/words.ts'
import classes from './endpoint.module.css'

type Params = { account_id: number; endpoint_id: number }
const SHOWN = 6
/** Short enough that a person who changes a product sees the delivery arrive. */
const LIVE_MS = 2_000

/** The newest deliveries of the endpoint, refreshed automatically. */
export function RecentSection({ params }: { params: Params }) {
  const { t } = useTranslation(['endpoint', 'webhooks', 'shared'])
  const account = useAccount()
  const navigate = useNavigate()
  const format = useFormats()
  const deliveries = useRead(
    'GET /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/deliveries',
    { params, query: { per_page: SHOWN } },
    { everyMs: LIVE_MS },
  )
  const to = `/${account.id}/deliveries`
  return (
    <Section
      title={t('recent.title')}
      note={t('recent.note')}
      isFlush
      actions={
        <LinkButton to={to} search={{ endpoint: params.endpoint_id }}>
          {t('recent.all')}
        </LinkButton>
      }
    >
      <ReadList
        query={deliveries}
        label={t('recent.title')}
        rows={deliveries.data?.data}
        keyOf={(row) => row.id}
        open={(row) =>
          void navigate({
            to: '/$account/deliveries',
            params: { account: String(account.id) },
            search: { endpoint: params.endpoint_id, delivery: row.id } as never,
          })
        }
        empty={<p className={classes.none}>{t('recent.none')}</p>}
        columns={[
          {
            id: 'state',
            title: t('webhooks:log.state'),
            cell: (row) => <StateMark tone={DELIVERY_TONES[row.state]}>{t(`webhooks:states.${row.state}`)}</StateMark>,
          },
          {
            id: 'time',
            title: t('webhooks:log.time'),
            width: '24%',
            cell: (row) => <RelativeTime at={row.created_at} />,
          },
          {
            id: 'event',
            title: t('webhooks:log.event'),
            width: '26%',
            isWide: true,
            cell: (row) => t(`shared:events.${row.event}`),
          },
          {
            id: 'products',
            title: t('webhooks:log.products'),
            width: '16%',
            isNumber: true,
            isWide: true,
            cell: (row) => format.number(row.products),
          },
        ]}
      />
    </Section>
  )
}
