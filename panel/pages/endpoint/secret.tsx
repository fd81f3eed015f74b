import { Button, NativeSelect, Radio } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ListenCommand } from '../../webhooks/listen-command.tsx'
import { Verifier } from '../../webhooks/verifier.tsx'
import type { Endpoint } from './endpoint.tsx'
import classes from './endpoint.module.css'

type Params = { account_id: number; endpoint_id: number }
const HOURS = [0, 1, 24, 72, 168] as const

/** The signing secret: replaced with an overlap, or at once after a leak. It can never be read again. */
export function SecretSection({
  endpoint,
  params,
  changed,
}: {
  endpoint: Endpoint
  params: Params
  changed: () => Promise<void>
}) {
  const { t } = useTranslation('endpoint')
  const [asking, setAsking] = useState<'rotate' | 'switch' | 'cancel' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const { rotation } = endpoint
  return (
    <Section
      title={t('secret.title')}
      note={t('secret.note')}
      actions={
        <Button variant="default" onClick={() => setAsking('rotate')}>
          {t('secret.rotate')}
        </Button>
      }
    >
      {rotation === null ? (
        <p>{t('secret.one')}</p>
      ) : rotation.switch_at === null ? (
        <p>
          {t('secret.switched')} <RelativeTime at={rotation.previous_until} />.
        </p>
      ) : (
        <>
          <p className={classes.text}>
            {t('secret.before')} <RelativeTime at={rotation.switch_at} />. {t('secret.beforeMeans')}
          </p>
          <div className={classes.row}>
            <Button variant="default" onClick={() => setAsking('switch')}>
              {t('secret.switch')}
            </Button>
            <Button variant="default" onClick={() => setAsking('cancel')}>
              {t('secret.cancel')}
            </Button>
          </div>
        </>
      )}
      <ListenCommand url={endpoint.url} />
      {asking === 'rotate' ? (
        <RotateDialog
          params={params}
          isUnderWay={rotation !== null}
          close={() => setAsking(null)}
          made={(text) => {
            setAsking(null)
            setSecret(text)
            void changed()
          }}
        />
      ) : null}
      {asking === 'switch' ? (
        <Confirm
          title={t('secret.switch')}
          action={t('secret.switch')}
          isDangerous={false}
          close={() => setAsking(null)}
          run={async () => {
            await call('POST /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/rotate/switch', { params })
            await changed()
            showMessage(t('secret.switchedNow'))
          }}
        >
          {t('secret.switchText')}
        </Confirm>
      ) : null}
      {asking === 'cancel' ? (
        <Confirm
          title={t('secret.cancel')}
          action={t('secret.cancel')}
          close={() => setAsking(null)}
          run={async () => {
            await call('POST /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/rotate/cancel', { params })
            await changed()
            showMessage(t('secret.cancelled'))
          }}
        >
          {t('secret.cancelText')}
        </Confirm>
      ) : null}
      {secret === null ? null : (
        <ShownOnce title={t('secret.shown')} label={t('secret.label')} secret={secret} close={() => setSecret(null)}>
          <Verifier />
        </ShownOnce>
      )}
    </Section>
  )
}

function RotateDialog({
  params,
  isUnderWay,
  close,
  made,
}: {
  params: Params
  isUnderWay: boolean
  close: () => void
  made: (secret: string) => void
}) {
  const { t } = useTranslation('endpoint')
  const form = useForm({
    initial: { switch_after_hours: '24', reason: isUnderWay ? 'leaked' : 'regular' },
    submit: async ({ switch_after_hours: hours, reason }) =>
      (
        await call('POST /panel/api/accounts/{account_id}/endpoints/{endpoint_id}/rotate', {
          params,
          body: reason === 'leaked' ? { is_leaked: true } : { switch_after_hours: Number(hours) },
        })
      ).data.secret,
    done: made,
  })
  return (
    <Dialog title={t('secret.rotate')} close={close}>
      <Form form={form} submit={t('secret.rotate')}>
        <Radio.Group
          aria-label={t('secret.why')}
          value={form.values.reason}
          onChange={(reason) => form.set({ reason })}
        >
          {(['regular', 'leaked'] as const).map((reason) => (
            <Radio
              key={reason}
              mt="xs"
              value={reason}
              disabled={isUnderWay && reason === 'regular'}
              label={t(`secret.reasons.${reason}`)}
              description={t(isUnderWay && reason === 'regular' ? 'secret.underWay' : `secret.reasonMeans.${reason}`)}
            />
          ))}
        </Radio.Group>
        {form.values.reason === 'leaked' ? null : (
          <NativeSelect
            {...form.text('switch_after_hours')}
            label={t('secret.takesOver')}
            data={HOURS.map((hours) => ({
              value: String(hours),
              label: hours === 0 ? t('secret.now') : t('secret.hours', { count: hours }),
            }))}
          />
        )}
      </Form>
    </Dialog>
  )
}
