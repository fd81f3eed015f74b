import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { showMessage } from '../../components/messages.tsx'

const HOURS = [1, 6, 24, 72, 168, 336] as const
const HOUR_MS = 3_600_000
/** Subtracted from the longest time span, because the request itself takes time. */
const MARGIN_MS = 60_000

/** Sends everything again that has changed since a time. */
export function RewindDialog({
  params,
  close,
  changed,
}: {
  params: { account_id: number; endpoint_id: number }
  close: () => void
  changed: () => Promise<void>
}) {
  const { t } = useTranslation('endpoint')
  const form = useForm({
    initial: { since: '24' },
    submit: async ({ since }) =>
      await call('POST /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/redeliver', {
        params,
        body: { since: new Date(Date.now() - Number(since) * HOUR_MS + MARGIN_MS).toISOString() },
      }),
    done() {
      close()
      showMessage(t('rewind.done'))
      void changed()
    },
  })
  return (
    <Dialog title={t('rewind.title')} close={close}>
      <Form form={form} submit={t('rewind.action')}>
        <p>{t('rewind.text')}</p>
        <NativeSelect
          {...form.text('since')}
          label={t('rewind.since')}
          data={HOURS.map((hours) => ({
            value: String(hours),
            label: hours < 48 ? t('rewind.hours', { count: hours }) : t('rewind.days', { count: hours / 24 }),
          }))}
        />
      </Form>
    </Dialog>
  )
}
