import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark, type Tone } from '../components/state-mark.tsx'
import { checkSignature, type Verdict } from './signature.ts'
import classes from './signature-check.module.css'
import './words.ts'

const TONES: Readonly<Record<Verdict, Tone>> = { valid: 'good', old: 'warn', other: 'bad', unreadable: 'off' }
const FIELDS = ['secret', 'timestamp', 'signature', 'body'] as const

/** Verifies a delivery that a receiver refuses. Everything stays in the browser, and leaving the page forgets it. */
export function SignatureCheck({ body = '' }: { body?: string }) {
  const { t } = useTranslation('webhooks')
  const [typed, setTyped] = useState({ secret: '', timestamp: '', signature: '', body })
  const isComplete = FIELDS.every((field) => typed[field] !== '')
  const verdict = useQuery({
    queryKey: ['signature', typed],
    queryFn: () => checkSignature(typed, Date.now() / 1_000),
    enabled: isComplete,
    retry: false,
    // the key contains a secret
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    value: typed[name],
    dir: 'ltr',
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTyped((before) => ({ ...before, [name]: value }))
    },
  })
  return (
    <details className={classes.check}>
      <summary>{t('check.title')}</summary>
      <div className={classes.fields}>
        <p className={classes.note}>{t('check.note')}</p>
        <PasswordInput {...field('secret')} label={t('check.secret')} />
        <TextInput {...field('timestamp')} label="X-Service-Timestamp" inputMode="numeric" />
        <TextInput {...field('signature')} label="X-Service-Signature" placeholder="sha256=…" />
        <Textarea
          {...field('body')}
          label={t('check.body')}
          description={t('check.bodyNote')}
          minRows={3}
          autosize
          maxRows={12}
        />
        <p role="status">
          {!isComplete ? (
            t('check.incomplete')
          ) : verdict.isError ? (
            <StateMark tone="off">{t('check.noCrypto')}</StateMark>
          ) : verdict.data === undefined ? null : (
            <StateMark tone={TONES[verdict.data]}>{t(`check.verdicts.${verdict.data}`)}</StateMark>
          )}
        </p>
      </div>
    </details>
  )
}
