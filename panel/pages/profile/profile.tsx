import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRefresh } from '../../api/read.ts'
import { Confirm } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { tell } from '../../components/told.tsx'
import { forgetSession, useKeepSession, useSession } from '../../session/session.ts'
import { CodesSection } from './codes.tsx'
import { EmailSection } from './email.tsx'
import { EventsSection } from './events.tsx'
import { PasskeysSection } from './passkeys.tsx'
import { SessionsSection } from './sessions.tsx'

/** A person's own name, password, second factor, passkeys and sessions. */
export function ProfilePage() {
  const { t } = useTranslation(['profile', 'shared'])
  const { person } = useSession()
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
      <NameSection />
      <EmailSection />
      <PasswordSection />
      <CodesSection />
      <PasskeysSection />
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
      tell(t('shared:saved'))
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
  const form = useForm({
    initial: { current: '', password: '' },
    submit: async (body) => (await call('POST /panel/api/password', { body })).data,
    done(session) {
      keep(session)
      form.restart({ current: '', password: '' })
      tell(t('password.done'))
      void refresh('GET /panel/api/sessions', 'GET /panel/api/person/events')
    },
  })
  const show = { 'aria-label': t('password.show') }
  return (
    <Section title={t('password.title')} note={t('password.note')}>
      <Form form={form} submit={t('password.submit')}>
        <PasswordInput
          {...form.text('current')}
          label={t('password.current')}
          autoComplete="current-password"
          visibilityToggleButtonProps={show}
        />
        <PasswordInput
          {...form.text('password')}
          label={t('password.new')}
          description={t('password.hint')}
          autoComplete="new-password"
          visibilityToggleButtonProps={show}
        />
      </Form>
    </Section>
  )
}
