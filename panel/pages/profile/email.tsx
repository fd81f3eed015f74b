import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRefresh } from '../../api/read.ts'
import { Form, useForm } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'

/** Asking for another e-mail address; it counts once the link that is mailed to it was opened. */
export function EmailSection() {
  const { t } = useTranslation('profile')
  const refresh = useRefresh()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    initial: { email: '', password: '' },
    submit: async (body) => await call('POST /panel/api/email', { body }),
    done(_answer, { email }) {
      setSentTo(email)
      form.restart({ email: '', password: '' })
      void refresh('GET /panel/api/person/events')
    },
  })
  return (
    <Section title={t('email.title')} note={t('email.note')}>
      {sentTo === null ? null : <p role="status">{t('email.sent', { email: sentTo })}</p>}
      <Form form={form} submit={t('email.submit')}>
        <TextInput {...form.text('email')} label={t('email.new')} type="email" autoComplete="email" />
        <PasswordInput
          {...form.text('password')}
          label={t('password.yours')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
        />
      </Form>
    </Section>
  )
}
