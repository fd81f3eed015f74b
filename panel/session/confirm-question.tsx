import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { Dialog } from '../components/dialog.tsx'
import { Form, useForm } from '../components/form.tsx'
import { answerConfirmation } from './confirming.ts'
import { ByPasskey } from './by-passkey.tsx'
import { ProviderButton, useSignInWays } from './at-provider.tsx'
import { OwnPassword } from './own-password.tsx'
import { useSession } from './session.ts'

/** Asks for the password or a passkey before actions whose effect outlives the session; the caller then continues. */
export function ConfirmQuestion() {
  const { t } = useTranslation()
  const { person } = useSession()
  const { local: isLocal = true, provider = null } = useSignInWays() ?? {}
  const cancel = () => answerConfirmation(false)
  const form = useForm({
    initial: { password: '' },
    submit: async (body) => await call('POST /panel/api/session/confirm', { body }),
    done: () => answerConfirmation(true),
  })
  return (
    <Dialog title={t('confirmYou.title')} close={cancel}>
      {isLocal ? (
        <Form isLostQuietly form={form} submit={t('confirmYou.submit')}>
          <p>{t('confirmYou.text')}</p>
          <input type="hidden" name="username" value={person.email} autoComplete="username" />
          <OwnPassword {...form.text('password')} data-autofocus />
        </Form>
      ) : null}
      {provider === null ? null : (
        <>
          {isLocal ? null : <p>{t('confirmYou.text')}</p>}
          <p>{t(isLocal ? 'confirmYou.provider' : 'confirmYou.providerAlone')}</p>
          <ProviderButton again mt="sm" variant="default" next={ownPath()} />
        </>
      )}
      {isLocal && person.passkeys > 0 ? <ByPasskey done={() => answerConfirmation(true)} /> : null}
    </Dialog>
  )
}

/** The page's address as the panel's router writes it. */
const ownPath = () => (location.pathname + location.search).replace(/^\/panel/, '')
