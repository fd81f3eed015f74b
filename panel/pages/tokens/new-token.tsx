import { Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { useAccountParams } from '../../session/account.ts'
import type { NewToken, Token } from './token-state.ts'

const DAY_MS = 86_400_000
/** The choices for the number of days after which a token expires. */
const LIFETIMES = ['30', '90', '365'] as const
/** The default of a new token is without costs, because a shop needs none. */
const NOTHING: { name: string; access: NewToken['access']; sees_costs: boolean; expires_at: string } = {
  name: '',
  access: 'connector',
  sees_costs: false,
  expires_at: '',
}

export function NewTokenDialog({ close, made }: { close: () => void; made: (token: NewToken) => void }) {
  const { t } = useTranslation(['tokens', 'shared'])
  const params = useAccountParams()
  const form = useForm({
    initial: NOTHING,
    submit: async ({ name, access, sees_costs: seesCosts, expires_at: days }) =>
      (
        await call('POST /panel/api/accounts/{account_id}/tokens', {
          params,
          body: {
            name,
            access,
            // a token with full access can read offers, which contain costs
            sees_costs: access === 'full' || seesCosts,
            expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
          },
        })
      ).data,
    done: made,
  })
  return (
    <Dialog title={t('new.title')} close={close}>
      <Form form={form} submit={t('new.submit')}>
        <TextInput {...form.text('name')} label={t('name')} description={t('new.nameHint')} data-autofocus />
        <Radio.Group
          label={t('accessTitle')}
          value={form.values.access}
          onChange={(access) => form.set({ access })}
          error={form.fault('access')}
        >
          {(['connector', 'full'] as const).map((access) => (
            <Radio
              key={access}
              mt="xs"
              value={access}
              label={t(`access.${access}`)}
              description={t(`new.accessMeans.${access}`)}
            />
          ))}
        </Radio.Group>
        {form.values.access === 'full' ? null : (
          <Checkbox
            label={t('new.seesCosts')}
            description={t('new.seesCostsHint')}
            checked={form.values.sees_costs}
            onChange={(event) => form.set({ sees_costs: event.currentTarget.checked })}
            error={form.fault('sees_costs')}
          />
        )}
        <NativeSelect
          {...form.text('expires_at')}
          label={t('expires')}
          data={[
            { value: '', label: t('shared:never') },
            ...LIFETIMES.map((days) => ({ value: days, label: t('new.days', { count: Number(days) }) })),
          ]}
        />
      </Form>
    </Dialog>
  )
}

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
