import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { Form, useForm } from '../../components/form.tsx'
import { Plain } from '../../components/plain.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { PasskeyIcon } from '../../design/icons.tsx'
import { askForPasskey, canUsePasskeys } from '../../session/passkeys.ts'
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
    <Plain title={t('title')} foot={<Link to="/forgotten-password">{t('forgotten')}</Link>}>
      {hasEnded ? (
        <p className={classes.text} role="status">
          {t('problems:not-signed-in.text')}
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
    <Form form={form} submit={t('submit')}>
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
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    setError(null)
    try {
      const { data } = await call('POST /panel/api/sign-in/passkey/options')
      const response = await askForPasskey(data.options)
      // the person closed the browser's window
      if (response === null) return
      enter((await call('POST /panel/api/sign-in/passkey', { body: { ticket: data.ticket, response } })).data)
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.passkey}>
      {error === null ? null : <ProblemNote error={error} />}
      <Button variant="default" leftSection={<PasskeyIcon size={16} />} loading={isBusy} onClick={() => void ask()}>
        {t('passkey')}
      </Button>
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
