import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page.tsx'
import { useReadPages } from '../../api/read-pages.ts'
import { ReadList } from '../../components/read-list.tsx'
import { useAccountParams } from '../../session/account.ts'
import { useNoticeList } from '../../webhooks/notice-list.tsx'
import { addWords } from '../../words/add-words.ts'
import noticesWords from '../../words/en/notices.json'

addWords({ notices: noticesWords })

/** Every notice to owners, newest first. */
export function NoticesPage() {
  const { t } = useTranslation('notices')
  const list = useNoticeList()
  const { rows, query } = useReadPages('GET /panel/api/accounts/{account_id}/notices', { params: useAccountParams() })
  return (
    <Page title={t('title')} lead={t('lead')}>
      <ReadList {...list} rows={rows} query={query} />
    </Page>
  )
}
