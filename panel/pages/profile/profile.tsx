import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRefresh } from '../../api/read.ts'
import { Confirm } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Page, Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useSignInWays } from '../../session/at-provider.tsx'
import { OwnPassword } from '../../session/own-password.tsx'
import { forgetSession, useKeepSession, useSession } from '../../session/session.ts'
import { CodesSection } from './codes.tsx'
import { EventsSection, SessionsSection } from './sessions.tsx'
import { MadeByOthersSection, MadeDialog } from './made.tsx'
import { PasskeysSection } from './passkeys.tsx'
import { ProviderSection } from './provider.tsx'
import { addWords } from '../../words/add-words.ts'
import profileWords from '../../words/en/profile.json'

addWords({ profile: profileWords })

/** The person's own name, password, second factor, passkeys and sessions. */
export function ProfilePage() {
  const { t } = useTranslation(['profile', 'shared', 'sign-in'])
  const { person } = useSession()
  const { local: isLocal = true, provider = null } = useSignInWays() ?? {}
  const label = provider?.label ?? t('sign-in:provider.unnamed')
  const [isEnding, setEnding] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Page
      title={t('title')}
      lead={person.email}
      width="narrow"
      actions={
        <Button variant="default" onClick={() => setEnding(true)}>
          {t('everywhere.action')}
        </Button>
      }
    >
      <MadeByOthersSection label={label} />
      <NameSection />
      {isLocal ? (
        <>
          <EmailSection />
          <PasswordSection />
          <CodesSection />
          <PasskeysSection />
          <ProviderSection />
        </>
      ) : (
        <>
          <ProviderSection />
          <CodesSection />
        </>
      )}
      <SessionsSection />
      <EventsSection />
      {isEnding ? (
        <Confirm
          title={t('everywhere.title')}
          action={t('everywhere.action')}
          close={() => setEnding(false)}
          run={async () => {
            await call('DELETE /panel/api/sessions', { query: { keep_current: false } })
            forgetSession(client)
            await navigate({ to: '/sign-in' })
          }}
        >
          {t('everywhere.text')}
        </Confirm>
      ) : null}
    </Page>
  )
}

function NameSection() {
  const { t } = useTranslation(['profile', 'shared'])
  const { person } = useSession()
  const keep = useKeepSession()
  const form = useForm({
    initial: { name: person.name },
    submit: async (body) => (await call('PATCH /panel/api/person', { body })).data,
    done(session) {
      keep(session)
      showMessage(t('shared:saved'))
    },
  })
  return (
    <Section title={t('name.title')} note={t('name.note')}>
      <Form form={form} submit={t('shared:save')}>
        <TextInput {...form.text('name')} label={t('name.label')} autoComplete="name" dir="auto" />
      </Form>
    </Section>
  )
}

function PasswordSection() {
  const { t } = useTranslation(['profile', 'shared'])
  const keep = useKeepSession()
  const refresh = useRefresh()
  const [isChanged, setChanged] = useState(false)
  const form = useForm({
    initial: { current: '', password: '' },
    submit: async (body) => (await call('POST /panel/api/password', { body })).data,
    done(session) {
      keep(session)
      form.restart({ current: '', password: '' })
      showMessage(t('password.done'))
      setChanged(true)
      void refresh('GET /panel/api/sessions', 'GET /panel/api/person/events')
    },
  })
  return (
    <Section title={t('password.title')} note={t('password.note')}>
      {isChanged ? <MadeDialog close={() => setChanged(false)} /> : null}
      <Form form={form} submit={t('password.submit')} isOneOfSeveral>
        <OwnPassword {...form.text('current')} label={t('password.current')} />
        <PasswordInput
          {...form.text('password')}
          label={t('password.new')}
          description={t('password.hint')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
        />
      </Form>
    </Section>
  )
}

/** Changes the e-mail address, which takes effect when the link that is mailed to it is opened. */
function EmailSection() {
  const { t } = useTranslation('profile')
  const refresh = useRefresh()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    initial: { email: '', password: '' },
    submit: async (body) => await call('POST /panel/api/email', { body }),
    done(_answer, { email }) {
      setSentTo(email)
      form.restart({ email: '', password: '' })
      void refresh('GET /panel/api/person/events')
    },
  })
  return (
    <Section title={t('email.title')} note={t('email.note')}>
      {sentTo === null ? null : <p role="status">{t('email.sent', { email: sentTo })}</p>}
      <Form form={form} submit={t('email.submit')} isOneOfSeveral>
        <TextInput {...form.text('email')} label={t('email.new')} type="email" autoComplete="email" />
        <OwnPassword {...form.text('password')} />
      </Form>
    </Section>
  )
}
