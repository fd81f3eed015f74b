import { Radio, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { useAccountParams } from '../../session/account.ts'

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
