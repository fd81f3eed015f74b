import { useTranslation } from 'react-i18next'
import { useReadPages } from '../../api/read-pages.ts'
import { Page } from '../../components/page.tsx'
import { Paged } from '../../components/paged.tsx'
import { useAccountParams } from '../../session/account.ts'
import { NoticeList } from '../../webhooks/notice-list.tsx'

/** Every notice to owners, newest first. */
export function NoticesPage() {
  const { t } = useTranslation('notices')
  const notices = useReadPages('GET /panel/api/accounts/{account_id}/notices', { params: useAccountParams() })
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Paged query={notices}>{(rows) => <NoticeList notices={rows} />}</Paged>
    </Page>
  )
}
