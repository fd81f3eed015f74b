import { PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { Form, useForm } from '../../components/form.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { accountFieldOf, AccountFields, likelyAccount, ownTimeZone } from '../../session/account-fields.tsx'

/** The first owner of an installation creates the first account. */
export function FirstOwner({
  token,
  expiresAt,
  enter,
}: {
  token: string
  expiresAt: string
  enter: (result: Answer<'POST /panel/api/links/first-owner'>['data']) => void
}) {
  const { t } = useTranslation(['sign-up', 'sign-in', 'link'])
  const form = useForm({
    initial: { ...likelyAccount(), email: '', password: '' },
    submit: async ({ name, currency, locale, email, password }) =>
      (
        await call('POST /panel/api/links/first-owner', {
          body: {
            token,
            email: email.trim(),
            password,
            account: { name, currency, locale, time_zone: ownTimeZone() },
          },
        })
      ).data,
    done: enter,
    fieldOf: accountFieldOf,
  })
  return (
    <Form form={form} submit={t('first.submit')}>
      <p>
        {t('first.text')} {t('link:ends')} <RelativeTime at={expiresAt} />.
      </p>
      <AccountFields form={form} isFirst />
      <TextInput
        {...form.text('email')}
        label={t('sign-in:email')}
        description={t('first.emailHint')}
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="off"
      />
      <PasswordInput
        {...form.text('password')}
        label={t('sign-in:password')}
        description={t('link:passwordHint')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('link:show') }}
      />
    </Form>
  )
}
