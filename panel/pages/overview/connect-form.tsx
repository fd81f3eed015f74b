import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefresh } from '../../api/read.ts'
import { Form, useForm } from '../../components/form.tsx'
import { useAccountParams } from '../../session/account.ts'
import { type Connected, connectShop } from './connect.ts'
import classes from './overview.module.css'

/** The third step: one optional field, and one button. Until it is the next step, only the button is shown. */
export function ConnectForm({
  isNext,
  name,
  connected,
}: {
  isNext: boolean
  /** The name of the token. */
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
      // loads the window that shows the secrets before they are created
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
