import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { useAccountParams } from '../../session/account.ts'
import { EndpointFields, NEW_ENDPOINT } from '../../webhooks/endpoint-fields.tsx'

export function NewEndpointDialog({
  close,
  made,
}: {
  close: () => void
  made: (endpoint: { id: number; secret: string }) => void
}) {
  const { t } = useTranslation('endpoints')
  const params = useAccountParams()
  const form = useForm({
    initial: NEW_ENDPOINT,
    submit: async ({ url, events, store }) =>
      (
        await call('POST /panel/api/accounts/{account_id}/endpoints', {
          params,
          body: { url, events, store: store === '' ? null : store },
        })
      ).data,
    done: made,
  })
  return (
    <Dialog title={t('new.title')} close={close} size={560}>
      <Form form={form} submit={t('create')}>
        <EndpointFields form={form} isNew />
        <p>{t('new.start')}</p>
      </Form>
    </Dialog>
  )
}
