import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { Form, useForm } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useAccountParams } from '../../session/account.ts'

type Rules = Answer<'GET /panel/api/accounts/{account_id}/sign-in-rules'>['data']

const RULES = 'GET /panel/api/accounts/{account_id}/sign-in-rules'
const IDLE_MINUTES = [15, 30, 60, 480, 1440]
const HOURS = [8, 12, 24, 168]

/** Requirements for members who sign in to the account. */
export function SignInRulesSection() {
  const { t } = useTranslation('people')
  const params = useAccountParams()
  const rules = useRead(RULES, { params })
  return (
    <Section title={t('rules.title')} note={t('rules.note')}>
      <Loaded query={rules} lines={2}>
        {({ data }) => <RulesForm key={JSON.stringify(data)} rules={data} />}
      </Loaded>
    </Section>
  )
}

function RulesForm({ rules }: { rules: Rules }) {
  const { t } = useTranslation(['people', 'shared'])
  const params = useAccountParams()
  const refresh = useRefresh()
  const text = (value: number | null) => (value === null ? '' : String(value))
  const form = useForm({
    initial: {
      requires_second_factor: rules.requires_second_factor,
      session_idle_minutes: text(rules.session_idle_minutes),
      session_hours: text(rules.session_hours),
    },
    submit: async (values) => {
      const number = (value: string) => (value === '' ? null : Number(value))
      const body = {
        requires_second_factor: values.requires_second_factor,
        session_idle_minutes: number(values.session_idle_minutes),
        session_hours: number(values.session_hours),
      }
      return await call('PUT /panel/api/accounts/{account_id}/sign-in-rules', { params, body })
    },
    done() {
      showMessage(t('shared:saved'))
      void refresh(RULES)
    },
  })
  const hours = (count: number) => (count < 48 ? t('rules.hours', { count }) : t('rules.days', { count: count / 24 }))
  const idle = (minutes: number) => (minutes < 60 ? t('rules.minutes', { count: minutes }) : hours(minutes / 60))
  /** a value that was set by other means is added to the choices */
  const choices = (known: readonly number[], set: number | null, label: (value: number) => string, longest: number) => [
    ...[...new Set([...known, ...(set === null ? [] : [set])])]
      .toSorted((a, b) => a - b)
      .map((value) => ({ value: String(value), label: label(value) })),
    { value: '', label: label(longest) },
  ]
  return (
    <Form form={form} submit={t('shared:save')}>
      <Checkbox
        label={t('rules.factor')}
        description={t('rules.factorHint')}
        checked={form.values.requires_second_factor}
        onChange={(event) => form.set({ requires_second_factor: event.currentTarget.checked })}
      />
      <NativeSelect
        {...form.text('session_idle_minutes')}
        label={t('rules.idle')}
        data={choices(IDLE_MINUTES, rules.session_idle_minutes, idle, 72 * 60)}
      />
      <NativeSelect
        {...form.text('session_hours')}
        label={t('rules.length')}
        data={choices(HOURS, rules.session_hours, hours, 30 * 24)}
      />
    </Form>
  )
}
