import { Radio, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Answer, call } from '../../api/client.ts'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { useAccountParams } from '../../session/account.ts'
import { ShownOnce } from '../../components/shown-once.tsx'

export type SentInvitation = Answer<'POST /panel/api/accounts/{account_id}/invitations'>['data']

const NOBODY: { email: string; role: SentInvitation['role'] } = { email: '', role: 'member' }

export function InviteDialog({ close, made }: { close: () => void; made: (sent: SentInvitation) => void }) {
  const { t } = useTranslation(['people', 'shared'])
  const params = useAccountParams()
  const form = useForm({
    initial: NOBODY,
    submit: async (body) => (await call('POST /panel/api/accounts/{account_id}/invitations', { params, body })).data,
    done: made,
  })
  return (
    <Dialog title={t('invite.title')} close={close}>
      <Form form={form} submit={t('invite.submit')}>
        <TextInput {...form.text('email')} label={t('email')} type="email" autoComplete="off" data-autofocus />
        <Radio.Group
          label={t('roleTitle')}
          value={form.values.role}
          onChange={(role) => form.set({ role })}
          error={form.fault('role')}
        >
          {(['member', 'owner'] as const).map((role) => (
            <Radio
              key={role}
              mt="xs"
              value={role}
              label={t(`shared:roles.${role}`)}
              description={t(`invite.roleMeans.${role}`)}
            />
          ))}
        </Radio.Group>
      </Form>
    </Dialog>
  )
}

/** An invitation that was not mailed: its link, for passing it on, or why the mail failed. */
export function InvitationSent({ invitation, close }: { invitation: SentInvitation; close: () => void }) {
  const { t } = useTranslation(['people', 'shared'])
  if (invitation.link === null)
    return (
      <Confirm
        title={t('invite.failed', { email: invitation.email })}
        action={t('shared:close')}
        isDangerous={false}
        run={() => Promise.resolve()}
        close={close}
      >
        {t('invite.failedText')} {invitation.mail_error}
      </Confirm>
    )
  return (
    <ShownOnce title={t('invite.link')} label={t('invite.linkLabel')} secret={invitation.link} close={close}>
      <p>{t('invite.passOn', { email: invitation.email })}</p>
    </ShownOnce>
  )
}
