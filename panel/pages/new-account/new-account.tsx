import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Form, useForm } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { accountFieldOf, AccountFields, likelyAccount, ownTimeZone } from '../../session/account-fields.tsx'
import { useKeepSession } from '../../session/session.ts'

/** A further account of a person, if the operator allows it. */
export function NewAccountPage() {
  const { t } = useTranslation('sign-up')
  const own = useRead('GET /panel/api/accounts')
  return (
    <Page title={t('new.title')} lead={t('new.lead')} width="narrow">
      <Section title={t('new.section')}>
        <Loaded query={own}>{({ data }) => (data.left === 0 ? <p>{t('new.noneLeft')}</p> : <NewAccountForm />)}</Loaded>
      </Section>
    </Page>
  )
}

function NewAccountForm() {
  const { t } = useTranslation('sign-up')
  const keep = useKeepSession()
  const navigate = useNavigate()
  const form = useForm({
    initial: likelyAccount(),
    submit: async ({ name, currency, locale }) =>
      (
        await call('POST /panel/api/accounts', {
          body: { name: name ?? '', currency: currency ?? '', locale: locale ?? '', time_zone: ownTimeZone() },
        })
      ).data,
    done({ account_id: accountId, session }) {
      keep(session)
      void navigate({ to: '/$account/overview', params: { account: String(accountId) } })
    },
    fieldOf: accountFieldOf,
  })
  return (
    <Form form={form} submit={t('new.submit')}>
      <AccountFields form={form} isFirst />
    </Form>
  )
}
