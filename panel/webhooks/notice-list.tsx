import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../api/client.ts'
import { Empty } from '../components/loaded.tsx'
import type { Column, ListProps } from '../components/list.tsx'
import { StateMark, type Tone } from '../components/state-mark.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useAccount } from '../session/account.ts'
import { Address } from './address.tsx'
import './words.ts'

type Notice = Answer<'GET /panel/api/accounts/{account_id}/notices'>['data'][number]

const TONES: Readonly<Record<Notice['severity'], Tone>> = { good: 'good', warning: 'warn', bad: 'bad' }

/** The list of notices to owners: their subject, and whether they were mailed. */
export function useNoticeList(): Omit<ListProps<Notice>, 'rows'> {
  const { t } = useTranslation('webhooks')
  const account = useAccount()
  const navigate = useNavigate()
  const columns: Column<Notice>[] = [
    {
      id: 'kind',
      title: t('notices.kind'),
      width: '22%',
      cell: (notice) => <StateMark tone={TONES[notice.severity]}>{t(`notices.kinds.${notice.kind}`)}</StateMark>,
    },
    {
      id: 'endpoint',
      title: t('notices.endpoint'),
      cell: (notice) => {
        if (notice.endpoint_url !== null) return <Address url={notice.endpoint_url} />
        if (notice.kind === 'rates_held') return t('notices.rates')
        return t(notice.kind.startsWith('source_') ? 'notices.source' : 'notices.pictures')
      },
    },
    {
      id: 'mail',
      title: t('notices.mail'),
      width: '20%',
      isWide: true,
      cell: (notice) => <span title={notice.mail_error ?? undefined}>{t(`notices.mails.${notice.mail}`)}</span>,
    },
    {
      id: 'when',
      title: t('log.time'),
      width: '16%',
      isWide: true,
      cell: (notice) => <RelativeTime at={notice.created_at} />,
    },
  ]
  return {
    label: t('notices.title'),
    columns,
    keyOf: (notice) => notice.id,
    open(notice) {
      if (notice.kind === 'rates_held') void navigate({ to: `/${account.id}/rates` })
      else if (notice.endpoint_id !== null) void navigate({ to: `/${account.id}/endpoints/${notice.endpoint_id}` })
    },
    phoneLine: (notice) => <RelativeTime at={notice.created_at} />,
    empty: <Empty headings={columns.map(({ title }) => title)}>{t('notices.none')}</Empty>,
  }
}
