import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { Form, useForm } from '../../components/form.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Plain } from '../../components/plain.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ProviderButton, useSignInWays } from '../../session/at-provider.tsx'
import { forgetProviderAnswer, providerAnswer } from '../../session/provider-answer.ts'
import { PasskeyButton } from '../../session/by-passkey.tsx'
import { canUsePasskeys } from '../../session/passkeys.ts'
import { hasSessionEnded, useKeepSession, useSession } from '../../session/session.ts'
import classes from './sign-in.module.css'

type Result = Answer<'POST /panel/api/sign-in'>['data']

/** Signing in: by password, with a code if the person has set one up, by a passkey, or at the identity provider. */
export function SignInPage() {
  const { t } = useTranslation(['sign-in', 'problems'])
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const keep = useKeepSession()
  const [ticket, setTicket] = useState<string | null>(null)
  const [hasEnded] = useState(hasSessionEnded)
  const { ended, awaits_owner: awaitsOwner, local: isLocal = true, provider = null } = useSignInWays() ?? {}
  const [arrived] = useState(providerAnswer)
  const [goesTo, setGoesTo] = useState<string | null>(null)
  const enter = (result: Result) => {
    if (result.state === 'code-required') {
      setTicket(result.ticket)
      return
    }
    keep(result.session)
    const asked = arrived?.next ?? next
    const to = isOwnAddress(asked) ? asked : '/'
    if (result.took_over === true) setGoesTo(to)
    else void navigate({ to })
  }
  const finishing = useQuery({
    queryKey: ['provider', arrived?.ticket],
    queryFn: async () => {
      const { ticket = '', answer = '' } = arrived ?? {}
      // an answer is valid once: sending it again would replace the shown reason by a refusal
      forgetProviderAnswer()
      const { data } = await call('POST /panel/api/sign-in/provider', { body: { ticket, answer } })
      enter(data)
      return data
    },
    enabled: arrived !== null,
    retry: false,
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
  })
  const finished = finishing.data
  if (ticket !== null) return <CodeStep ticket={ticket} enter={enter} back={() => setTicket(null)} />
  if (goesTo !== null) return <TookOver next={goesTo} />
  // a person who is signed in is about to leave this page
  if (arrived !== null && !finishing.isError && finished?.state !== 'code-required')
    return (
      <Plain title={t('title')}>
        <p role="status">{t('provider.working')}</p>
      </Plain>
    )
  return (
    <Plain
      title={t('title')}
      foot={
        <>
          {isLocal ? <Link to="/forgotten-password">{t('forgotten')}</Link> : null}
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
      <ProblemNote error={finishing.error} />
      <ProviderButton fullWidth next={isOwnAddress(next) ? next : '/'} />
      {provider !== null && isLocal ? <p className={classes.or}>{t('provider.or')}</p> : null}
      {isLocal ? <PasswordStep enter={enter} /> : null}
      {isLocal && canUsePasskeys() ? <PasskeyStep enter={enter} /> : null}
    </Plain>
  )
}

/** Says that all previous ways to sign in as this person have ended, and where to see what was created with them. */
function TookOver({ next }: { next: string }) {
  const { t } = useTranslation('sign-in')
  const { person } = useSession()
  return (
    <Plain title={t('provider.tookOver.title')}>
      <p role="status">{t('provider.tookOver.text', { email: person.email })}</p>
      <p>{t('provider.tookOver.made')}</p>
      <LinkButton to={next} variant="filled" mt="md">
        {t('provider.tookOver.on')}
      </LinkButton>
      <LinkButton to="/profile" mt="sm">
        {t('provider.tookOver.profile')}
      </LinkButton>
    </Plain>
  )
}

/** Accepts only paths of the panel, so that a link to the sign-in page cannot redirect elsewhere. */
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
