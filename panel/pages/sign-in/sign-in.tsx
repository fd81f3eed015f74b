import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Form, useForm } from '../../components/form.tsx'
import { Plain } from '../../components/plain.tsx'
import { PasskeyButton } from '../../session/by-passkey.tsx'
import { canUsePasskeys } from '../../session/passkeys.ts'
import { hasSessionEnded, useKeepSession } from '../../session/session.ts'
import classes from './sign-in.module.css'

type Result = Answer<'POST /panel/api/sign-in'>['data']

/** Signing in: by password, with a code where the person has set one up, or by a passkey. */
export function SignInPage() {
  const { t } = useTranslation(['sign-in', 'problems'])
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const keep = useKeepSession()
  const [ticket, setTicket] = useState<string | null>(null)
  const [hasEnded] = useState(hasSessionEnded)
  const { ended, awaits_owner: awaitsOwner } = useRead('GET /panel/api/sign-in').data?.data ?? {}
  const enter = (result: Result) => {
    if (result.state === 'code-required') {
      setTicket(result.ticket)
      return
    }
    keep(result.session)
    void navigate({ to: isOwnAddress(next) ? next : '/' })
  }
  if (ticket !== null) return <CodeStep ticket={ticket} enter={enter} back={() => setTicket(null)} />
  return (
    <Plain
      title={t('title')}
      foot={
        <>
          <Link to="/forgotten-password">{t('forgotten')}</Link>
          {awaitsOwner === true ? null : <p className={classes.invited}>{t('invited')}</p>}
        </>
      }
    >
      <p className={classes.text}>{t('about')}</p>
      {/* undefined: not known yet */}
      {ended !== undefined && (ended !== null || hasEnded) ? (
        <p className={classes.text} role="status">
          {ended === null ? t('problems:not-signed-in.text') : t(`ended.${ended}`)}
        </p>
      ) : null}
      {awaitsOwner === true ? (
        <p className={classes.text} role="status">
          {t('first')}
        </p>
      ) : null}
      <PasswordStep enter={enter} />
      {canUsePasskeys() ? <PasskeyStep enter={enter} /> : null}
    </Plain>
  )
}

/** Only addresses of the panel: a link to the sign-in leads nowhere else. */
function isOwnAddress(next: string | undefined): next is string {
  return next !== undefined && /^\/(?![/\\])/.test(next)
}

function PasswordStep({ enter }: { enter: (result: Result) => void }) {
  const { t } = useTranslation('sign-in')
  const form = useForm({
    initial: { email: '', password: '' },
    submit: async (body) => (await call('POST /panel/api/sign-in', { body })).data,
    done: enter,
  })
  return (
    <Form isLostQuietly form={form} submit={t('submit')}>
      <TextInput
        {...form.text('email')}
        label={t('email')}
        type="email"
        inputMode="email"
        autoComplete="username webauthn"
        autoCapitalize="off"
        autoFocus
      />
      <PasswordInput
        {...form.text('password')}
        label={t('password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('show') }}
      />
    </Form>
  )
}

function PasskeyStep({ enter }: { enter: (result: Result) => void }) {
  const { t } = useTranslation('sign-in')
  return (
    <div className={classes.passkey}>
      <PasskeyButton
        label={t('passkey')}
        options={() => call('POST /panel/api/sign-in/passkey/options')}
        answer={async (body) => enter((await call('POST /panel/api/sign-in/passkey', { body })).data)}
      />
    </div>
  )
}

function CodeStep({ ticket, enter, back }: { ticket: string; enter: (result: Result) => void; back: () => void }) {
  const { t } = useTranslation('sign-in')
  const form = useForm({
    initial: { code: '' },
    submit: async ({ code }) =>
      (await call('POST /panel/api/sign-in/code', { body: { ticket, code: code.trim() } })).data,
    done: enter,
  })
  return (
    <Plain title={t('code.title')}>
      <p className={classes.text}>{t('code.text')}</p>
      <Form
        isLostQuietly
        form={form}
        submit={t('submit')}
        beside={
          <Button variant="default" onClick={back}>
            {t('code.back')}
          </Button>
        }
      >
        <TextInput
          {...form.text('code')}
          label={t('code.label')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      </Form>
    </Plain>
  )
}
