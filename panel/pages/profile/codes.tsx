import { Button, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'
import { call } from '../../api/client.ts'
import { useRefresh } from '../../api/read.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useNeedsPassword } from '../../session/at-provider.tsx'
import { OwnPassword } from '../../session/own-password.tsx'
import { useKeepSession, useSession } from '../../session/session.ts'
import classes from './profile.module.css'

type Setup = { secret: string; uri: string }

/** Codes of an authenticator app, and recovery codes as a replacement. */
export function CodesSection() {
  const { t } = useTranslation('profile')
  const { person } = useSession()
  const needsPassword = useNeedsPassword()
  const keep = useKeepSession()
  const refresh = useRefresh()
  const [asking, setAsking] = useState<'add' | 'renew' | 'remove' | null>(null)
  const [setup, setSetup] = useState<Setup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const reread = async () => {
    keep((await call('GET /panel/api/session')).data)
    await refresh('GET /panel/api/person/events', 'GET /panel/api/sessions')
  }
  const close = () => setAsking(null)
  return (
    <Section
      title={t('codes.title')}
      note={t(needsPassword ? 'codes.note' : 'codes.noteProvider')}
      actions={
        person.has_totp ? (
          <>
            <Button variant="default" onClick={() => setAsking('renew')}>
              {t('codes.renew')}
            </Button>
            <Button variant="default" onClick={() => setAsking('remove')}>
              {t('codes.remove')}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setAsking('add')}>
            {t('codes.add')}
          </Button>
        )
      }
    >
      {person.has_totp ? (
        <StateMark tone="good">{t('codes.on', { count: person.recovery_codes_left })}</StateMark>
      ) : (
        <StateMark tone="off">{t('codes.off')}</StateMark>
      )}
      {asking === 'add' ? (
        <PasswordStep
          title={t('codes.add')}
          text={t('codes.addText')}
          action={t('next')}
          submit={async (password) =>
            (await call('POST /panel/api/totp', { body: password === '' ? {} : { password } })).data
          }
          done={(made) => {
            close()
            setSetup(made)
          }}
          close={close}
        />
      ) : null}
      {asking === 'renew' ? (
        <PasswordStep
          title={t('codes.renew')}
          text={t('codes.renewText')}
          action={t('codes.renew')}
          submit={async (password) =>
            (await call('POST /panel/api/totp/recovery-codes', { body: password === '' ? {} : { password } })).data
          }
          done={({ recovery_codes: made }) => {
            close()
            setCodes(made)
            void reread()
          }}
          close={close}
        />
      ) : null}
      {asking === 'remove' ? (
        <PasswordStep
          title={t('codes.remove')}
          text={t('codes.removeText')}
          action={t('codes.remove')}
          submit={async (password) =>
            (await call('POST /panel/api/totp/remove', { body: password === '' ? {} : { password } })).data
          }
          done={(session) => {
            close()
            keep(session)
            showMessage(t('codes.removed'))
          }}
          close={close}
        />
      ) : null}
      {setup === null ? null : (
        <SetupDialog
          setup={setup}
          close={() => setSetup(null)}
          done={(made) => {
            setSetup(null)
            setCodes(made)
            void reread()
          }}
        />
      )}
      {codes === null ? null : (
        <ShownOnce
          title={t('codes.recovery')}
          label={t('codes.recoveryLabel')}
          secret={codes.join('\n')}
          close={() => setCodes(null)}
        >
          <p>{t('codes.recoveryText')}</p>
        </ShownOnce>
      )}
    </Section>
  )
}

function SetupDialog({
  setup,
  close,
  done,
}: {
  setup: Setup
  close: () => void
  done: (codes: readonly string[]) => void
}) {
  const { t } = useTranslation('profile')
  const keep = useKeepSession()
  const picture = useMemo(
    // a data: URL, because the page's content security policy does not allow pictures from blob:
    () => `data:image/svg+xml,${encodeURIComponent(renderSVG(setup.uri, { border: 2 }))}`,
    [setup.uri],
  )
  const form = useForm({
    initial: { code: '' },
    submit: async ({ code }) => (await call('PUT /panel/api/totp', { body: { code: code.trim() } })).data,
    done({ recovery_codes: codes, session }) {
      keep(session)
      done(codes)
    },
  })
  return (
    <Dialog title={t('codes.add')} close={close}>
      <Form form={form} submit={t('codes.confirm')}>
        <p>{t('codes.scan')}</p>
        <img className={classes.picture} src={picture} alt={t('codes.picture')} width={180} height={180} />
        <p>
          {t('codes.byHand')} <code className={classes.secret}>{setup.secret}</code>
        </p>
        <TextInput
          {...form.text('code')}
          label={t('codes.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
        />
      </Form>
    </Dialog>
  )
}

/**
 * Asks for the password before a sign-in method is changed. For a person without a password it only asks whether to continue, and the service
 * then requires a confirmation.
 */
function PasswordStep<R>({
  title,
  text,
  action,
  submit,
  done,
  close,
}: {
  title: string
  text: string
  action: string
  submit: (password: string) => Promise<R>
  done: (result: R) => void
  close: () => void
}) {
  const needsPassword = useNeedsPassword()
  const form = useForm({ initial: { password: '' }, submit: ({ password }) => submit(password), done })
  return (
    <Dialog title={title} close={close}>
      <Form isLostQuietly form={form} submit={action}>
        <p>{text}</p>
        {needsPassword ? <OwnPassword {...form.text('password')} data-autofocus /> : null}
      </Form>
    </Dialog>
  )
}
