import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Form, useForm } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Plain } from '../../components/plain.tsx'
import classes from './sign-in.module.css'

/** Requests a link that sets a new password. It does not reveal whether the address is registered. */
export function ForgottenPage() {
  const { t } = useTranslation('sign-in')
  const how = useRead('GET /panel/api/sign-in')
  const [isSent, setSent] = useState(false)
  const form = useForm({
    initial: { email: '' },
    submit: async (body) => await call('POST /panel/api/password-resets', { body }),
    done: () => setSent(true),
  })
  return (
    <Plain title={t('reset.title')} foot={<Link to="/sign-in">{t('reset.back')}</Link>}>
      <Loaded query={how}>
        {({ data }) =>
          !data.sends_mail ? (
            <p>{t('reset.operator')}</p>
          ) : isSent ? (
            <p role="status">{t('reset.sent', { email: form.values.email })}</p>
          ) : (
            <>
              <p className={classes.text}>{t('reset.text')}</p>
              <Form isLostQuietly form={form} submit={t('reset.submit')}>
                <TextInput {...form.text('email')} label={t('email')} type="email" autoComplete="username" autoFocus />
              </Form>
            </>
          )
        }
      </Loaded>
    </Plain>
  )
}
