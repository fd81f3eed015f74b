import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRefresh } from '../../api/read.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { showMessage } from '../../components/messages.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useSignInWays } from '../../session/at-provider.tsx'
import { OwnPassword } from '../../session/own-password.tsx'
import { forgetProviderAnswer, keepPendingSignIn, providerLinkAnswer } from '../../session/provider-answer.ts'
import { useKeepSession, useSession } from '../../session/session.ts'

const EVENTS = 'GET /panel/api/person/events'

/** Links and unlinks the identity at the provider; nothing if there is no provider. */
export function ProviderSection() {
  const { t } = useTranslation(['profile', 'sign-in'])
  const { person } = useSession()
  const keep = useKeepSession()
  const refresh = useRefresh()
  const { local: isLocal = true, provider = null } = useSignInWays() ?? {}
  const label = provider?.label ?? t('sign-in:provider.unnamed')
  const [arrived] = useState(providerLinkAnswer)
  const [asking, setAsking] = useState<'link' | 'unlink' | null>(null)
  // without passwords, the service asks for another confirmation
  const begin = useMutation({ mutationFn: () => goAndLink({}) })
  const finishing = useQuery({
    queryKey: ['provider-link', arrived?.ticket],
    queryFn: async () => {
      const { ticket = '', answer = '' } = arrived ?? {}
      // an answer is valid once: sending it again would replace the shown reason by a refusal
      forgetProviderAnswer()
      const { data } = await call('POST /panel/api/person/provider', { body: { ticket, answer } })
      keep(data)
      showMessage(t('provider.done', { label }))
      void refresh(EVENTS)
      return data
    },
    enabled: arrived !== null && provider !== null,
    retry: false,
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
  })
  if (provider === null) return null
  const { at_provider: isLinked, provider: identity, email } = person
  const start = () => (isLocal ? setAsking(isLinked ? 'unlink' : 'link') : begin.mutate())
  return (
    <Section
      title={t('provider.title')}
      actions={
        isLinked && !isLocal ? undefined : (
          <Button variant="default" loading={begin.isPending || finishing.isLoading} onClick={start}>
            {t(isLinked ? 'provider.unlink' : 'provider.link', { label })}
          </Button>
        )
      }
    >
      {isLinked && !isLocal ? <p>{t('provider.text', { label })}</p> : null}
      {isLinked && isLocal ? <StateMark tone="good">{t('provider.linked', { label })}</StateMark> : null}
      {identity === null ? null : (
        <p>
          {identity.email === null ? null : <>{t('provider.email', { email: identity.email })} </>}
          {t('provider.linkedAt')} <RelativeTime at={identity.linked_at} />
        </p>
      )}
      {identity?.takes_over === true ? <p>{t('provider.takesOverNext', { label, email })}</p> : null}
      {isLinked ? null : (
        <p role={finishing.isLoading ? 'status' : undefined}>
          {t(finishing.isLoading ? 'provider.working' : 'provider.notLinked', { label })}
        </p>
      )}
      <ProblemNote
        error={begin.error ?? finishing.error}
        texts={isLocal ? { 'identity-differs': t('provider.differs', { label }) } : {}}
      />
      {asking === 'link' ? <LinkDialog label={label} close={() => setAsking(null)} /> : null}
      {asking === 'unlink' ? (
        <UnlinkDialog
          label={label}
          close={() => setAsking(null)}
          done={() => {
            setAsking(null)
            showMessage(t('provider.unlinked', { label }))
            void refresh(EVENTS, 'GET /panel/api/sessions')
          }}
        />
      ) : null}
    </Section>
  )
}

/** Sends the browser to the provider. */
async function goAndLink(body: { password?: string }): Promise<void> {
  const { data } = await call('POST /panel/api/person/provider/begin', { body })
  keepPendingSignIn({ ticket: data.ticket, next: '/profile', isLink: true })
  location.assign(data.url)
  // never resolves: the button stays busy until the browser has left the page
  await new Promise(() => {})
}

function LinkDialog({ label, close }: { label: string; close: () => void }) {
  const { t } = useTranslation(['profile', 'sign-in'])
  const { person } = useSession()
  const sendsMail = useSignInWays()?.sends_mail ?? false
  const form = useForm({ initial: { password: '' }, submit: goAndLink, done() {} })
  return (
    <Dialog title={t('provider.link', { label })} close={close}>
      <Form isLostQuietly form={form} submit={t('provider.link', { label })}>
        <p>{t('provider.linkText', { label })}</p>
        {person.email_proven ? null : (
          <p>
            {t('provider.takesOver', { label, email: person.email })}
            {sendsMail ? ` ${t('provider.keepPassword', { forgot: t('sign-in:forgotten') })}` : null}
          </p>
        )}
        <OwnPassword {...form.text('password')} data-autofocus />
      </Form>
    </Dialog>
  )
}

function UnlinkDialog({ label, close, done }: { label: string; close: () => void; done: () => void }) {
  const { t } = useTranslation('profile')
  const keep = useKeepSession()
  const form = useForm({
    initial: { password: '' },
    submit: async (body) => (await call('POST /panel/api/person/provider/unlink', { body })).data,
    done(session) {
      keep(session)
      done()
    },
  })
  return (
    <Dialog title={t('provider.unlink', { label })} close={close}>
      <Form isLostQuietly form={form} submit={t('provider.unlink', { label })}>
        <p>{t('provider.unlinkText')}</p>
        <OwnPassword {...form.text('password')} data-autofocus />
      </Form>
    </Dialog>
  )
}
