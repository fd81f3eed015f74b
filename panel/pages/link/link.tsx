import { Checkbox, PasswordInput, Radio, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { Form, useForm } from '../../components/form.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Plain } from '../../components/plain.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { sessionQuery, useKeepSession } from '../../session/session.ts'
import { useRead } from '../../api/read.ts'
import { ProviderButton, useSignInWays } from '../../session/at-provider.tsx'
import { FirstOwner } from './first-owner.tsx'
import classes from './link.module.css'
import { keepPending, pendingToken } from './pending.ts'
import { addWords } from '../../words/add-words.ts'
import linkWords from '../../words/en/link.json'

addWords({ link: linkWords })

type Facts = Answer<'POST /panel/api/links/read'>['data']

/**
 * The page of a link from a mail: joining an account, or a new password. Browsers do not send what follows #, so the
 * token is in no log.
 */
export function LinkPage() {
  const { t } = useTranslation(['link', 'shared', 'sign-up'])
  const enter = useEnter()
  const [token] = useState(pendingToken)
  const facts = useQuery({
    queryKey: ['link', token],
    queryFn: async () => (await call('POST /panel/api/links/read', { body: { token } })).data,
    retry: false,
    staleTime: Infinity,
  })
  const title =
    facts.data === undefined
      ? t('title')
      : facts.data.kind === 'invitation'
        ? t('invitation.title', { account: facts.data.account_name ?? '' })
        : facts.data.kind === 'email-change'
          ? t('email.title')
          : facts.data.kind === 'first-owner'
            ? t('sign-up:first.title')
            : t('reset.title')
  return (
    <Plain title={title} foot={facts.isError ? <Link to="/sign-in">{t('invitation.signIn')}</Link> : undefined}>
      <Loaded query={facts}>
        {(data) =>
          data.kind === 'first-owner' ? (
            <FirstOwner token={token} expiresAt={data.expires_at} enter={enter} />
          ) : data.kind === 'password-reset' ? (
            <NewPassword token={token} facts={data} />
          ) : data.kind === 'email-change' ? (
            <NewEmail token={token} facts={data} />
          ) : (
            <Join token={token} facts={data} />
          )
        }
      </Loaded>
      {facts.isError ? <WhereToGo /> : null}
    </Plain>
  )
}

/**
 * What to do after a link has ended. The link for the first owner was printed at the start of the service, so it has no
 * sender who could send another one.
 */
function WhereToGo() {
  const { t } = useTranslation('link')
  const awaitsOwner = useRead('GET /panel/api/sign-in').data?.data.awaits_owner
  if (awaitsOwner === undefined) return null
  return <p className={classes.after}>{t(awaitsOwner ? 'ended.awaitsOwner' : 'ended.hasOwner')}</p>
}

/** What follows an accepted link: the first page, or the code that the person's sign-in requires. */
function useEnter(): (result: Answer<'POST /panel/api/links/reset-password'>['data']) => void {
  const keep = useKeepSession()
  const navigate = useNavigate()
  return (result) => {
    keepPending(null)
    if (result.state === 'signed-in') {
      keep(result.session)
      void navigate({ to: '/' })
    } else void navigate({ to: '/sign-in' })
  }
}

function NewPassword({ token, facts }: { token: string; facts: Facts }) {
  const { t } = useTranslation(['link', 'shared'])
  const enter = useEnter()
  const { passkeys = [], has_codes: hasCodes = false } = facts.factors ?? {}
  const initial: { password: string; passkeys: number[]; keepsCodes: boolean } = {
    password: '',
    passkeys: [],
    keepsCodes: true,
  }
  const form = useForm({
    initial,
    submit: async ({ password, passkeys: kept, keepsCodes }) =>
      (
        await call('POST /panel/api/links/reset-password', {
          body: { token, password, keep_passkeys: kept, keep_codes: keepsCodes },
        })
      ).data,
    done: enter,
  })
  return (
    <Form form={form} submit={t('reset.submit')}>
      <p>{t('reset.text', { email: facts.email })}</p>
      <input type="hidden" name="username" value={facts.email} autoComplete="username" />
      <PasswordInput
        {...form.text('password')}
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('show') }}
        autoFocus
      />
      {passkeys.length === 0 ? null : (
        <Checkbox.Group
          label={t('reset.passkeys')}
          description={t('reset.passkeysHint')}
          value={form.values.passkeys.map(String)}
          onChange={(kept) => form.set({ passkeys: kept.map(Number) })}
        >
          {passkeys.map((passkey) => (
            <Checkbox
              key={passkey.id}
              mt="xs"
              value={String(passkey.id)}
              label={<bdi>{passkey.name}</bdi>}
              description={
                <>
                  {t('reset.added')} <RelativeTime at={passkey.created_at} />
                </>
              }
            />
          ))}
        </Checkbox.Group>
      )}
      {hasCodes ? (
        <Radio.Group
          label={t('reset.codes')}
          value={form.values.keepsCodes ? 'keep' : 'end'}
          onChange={(kept) => form.set({ keepsCodes: kept === 'keep' })}
        >
          <Radio mt="xs" value="keep" label={t('reset.keepCodes')} description={t('reset.keepCodesHint')} />
          <Radio mt="xs" value="end" label={t('reset.endCodes')} description={t('reset.endCodesHint')} />
        </Radio.Group>
      ) : null}
    </Form>
  )
}

function NewEmail({ token, facts }: { token: string; facts: Facts }) {
  const { t } = useTranslation(['link', 'shared'])
  const client = useQueryClient()
  const [isDone, setDone] = useState(false)
  const form = useForm({
    initial: {},
    submit: async () => await call('POST /panel/api/links/confirm-email', { body: { token } }),
    done() {
      keepPending(null)
      setDone(true)
      void client.invalidateQueries(sessionQuery)
    },
  })
  if (isDone)
    return (
      <>
        <p role="status">{t('email.done', { email: facts.email })}</p>
        <LinkButton to="/" variant="filled" mt="md">
          {t('email.go')}
        </LinkButton>
      </>
    )
  return (
    <Form form={form} submit={t('email.submit')}>
      <p>{t('email.text', { email: facts.email })}</p>
    </Form>
  )
}

/**
 * Joining an account. A person who is signed in with the address joins at once; others sign in or sign up. The page does not reveal
 * whether the address is registered.
 */
function Join({ token, facts }: { token: string; facts: Facts }) {
  const { t } = useTranslation(['link', 'shared'])
  const enter = useEnter()
  const client = useQueryClient()
  const [session] = useState(() => client.getQueryData(sessionQuery.queryKey))
  const form = useForm({
    initial: {},
    submit: async () => (await call('POST /panel/api/links/accept-invitation', { body: { token } })).data,
    done: enter,
  })
  if (session?.person.email.toLowerCase() !== facts.email.toLowerCase()) return <Register token={token} facts={facts} />
  return (
    <Form form={form} submit={t('invitation.submit')}>
      <Invited facts={facts} />
    </Form>
  )
}

function Register({ token, facts }: { token: string; facts: Facts }) {
  const isLocal = useSignInWays()?.local ?? true
  return (
    <>
      <Invited facts={facts} />
      {/* signing in at the provider, which verifies the address, accepts the invitation */}
      <ProviderButton mt="sm" />
      {isLocal ? <RegisterHere token={token} facts={facts} /> : null}
    </>
  )
}

function RegisterHere({ token, facts }: { token: string; facts: Facts }) {
  const { t } = useTranslation(['link', 'shared'])
  const enter = useEnter()
  const form = useForm({
    initial: { name: '', password: '' },
    submit: async (values) =>
      (await call('POST /panel/api/links/accept-invitation', { body: { token, ...values } })).data,
    done: enter,
  })
  return (
    <>
      <h2 className={classes.choice}>{t('invitation.known')}</h2>
      <p>{t('invitation.signInFirst', { email: facts.email })}</p>
      <LinkButton to="/sign-in" search={{ next: '/link' }} mt="sm" onClick={() => keepPending(token)}>
        {t('invitation.signIn')}
      </LinkButton>
      <h2 className={classes.choice}>{t('invitation.new')}</h2>
      <Form form={form} submit={t('invitation.submit')}>
        <TextInput {...form.text('name')} label={t('name')} autoComplete="name" />
        <PasswordInput
          {...form.text('password')}
          label={t('password')}
          description={t('passwordHint')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('show') }}
        />
      </Form>
    </>
  )
}

function Invited({ facts }: { facts: Facts }) {
  const { t } = useTranslation(['link', 'shared'])
  return (
    <p>
      {t('invitation.text', {
        email: facts.email,
        account: facts.account_name ?? '',
        role: t(`shared:roles.${facts.role ?? 'member'}`),
      })}{' '}
      {t('ends')} <RelativeTime at={facts.expires_at} />.
    </p>
  )
}
