import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { useAccountParams } from '../../session/account.ts'
import type { NewToken, Token } from './tokens.tsx'

const OVERLAP_HOURS = [1, 24, 72, 168, 0] as const

export function RotateDialog({
  token,
  close,
  made,
}: {
  token: Token
  close: () => void
  made: (token: NewToken) => void
}) {
  const { t } = useTranslation('tokens')
  const params = useAccountParams()
  const form = useForm({
    initial: { overlap_hours: '24' },
    submit: async (values) =>
      (
        await call('POST /panel/api/accounts/{account_id}/tokens/{token_id}/rotate', {
          params: { ...params, token_id: token.id },
          body: { overlap_hours: Number(values.overlap_hours) },
        })
      ).data,
    done: made,
  })
  return (
    <Dialog title={t('rotate.title', { name: token.name })} close={close}>
      <Form form={form} submit={t('rotate.action')}>
        <p>{t('rotate.text')}</p>
        <NativeSelect
          {...form.text('overlap_hours')}
          label={t('rotate.overlap')}
          data={OVERLAP_HOURS.map((hours) => ({
            value: String(hours),
            label: hours === 0 ? t('rotate.now') : t('rotate.hours', { count: hours }),
          }))}
        />
      </Form>
    </Dialog>
  )
}
