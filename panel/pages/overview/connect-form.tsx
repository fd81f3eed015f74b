import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefresh } from '../../api/read.ts'
import { Form, useForm } from '../../components/form.tsx'
import { useAccountParams } from '../../session/account.ts'
import { type Connected, connectShop } from './connect.ts'
import classes from './overview.module.css'

/** The third step: one field that may stay empty, and one button. Before it is the next one it is a button alone. */
export function ConnectForm({
  isNext,
  name,
  connected,
}: {
  isNext: boolean
  /** What the token is called. */
  name: string
  connected: (made: Connected) => void
}) {
  const { t } = useTranslation('overview')
  const [isOpened, setOpened] = useState(false)
  if (isNext || isOpened) return <Fields name={name} isOpened={isOpened} connected={connected} />
  return (
    <p className={classes.ways}>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('onboarding.connect.open')}
      </Button>
    </p>
  )
}

function Fields({
  name,
  isOpened,
  connected,
}: {
  name: string
  isOpened: boolean
  connected: (made: Connected) => void
}) {
  const { t } = useTranslation('overview')
  const params = useAccountParams()
  const refresh = useRefresh()
  const form = useForm({
    initial: { url: '' },
    async submit({ url }) {
      // what shows the secrets is here before they are made
      await import('./connected.tsx')
      return await connectShop(params, { name, url: url.trim() })
    },
    done(made) {
      connected(made)
      void refresh('GET /panel/api/accounts/{account_id}/overview')
    },
  })
  return (
    <Form form={form} submit={t('onboarding.connect.submit')}>
      <TextInput
        {...form.text('url')}
        label={t('onboarding.connect.url')}
        description={t('onboarding.connect.urlHint')}
        placeholder="https://"
        type="url"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        autoFocus={isOpened}
      />
      <p className={classes.hint}>{t('onboarding.connect.means')}</p>
    </Form>
  )
}
