import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../components/code-block.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/page.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { useFormats } from '../words/format.ts'
import { useFailureWords } from './health.tsx'
import type { LogSource } from './log-source.ts'
import './words.ts'

/** Sends a test delivery without products and shows the answer. */
export function TestSection({ source, isEnabled }: { source: LogSource; isEnabled: boolean }) {
  const { t } = useTranslation('webhooks')
  const format = useFormats()
  const failure = useFailureWords()
  const test = useMutation({ mutationFn: () => source.test() })
  const attempt = test.data?.attempt
  return (
    <Section
      title={t('test.title')}
      note={isEnabled ? t('test.text') : t('test.disabled')}
      actions={
        <Button variant="default" disabled={!isEnabled} loading={test.isPending} onClick={() => test.mutate()}>
          {t('test.send')}
        </Button>
      }
    >
      <ProblemNote error={test.error} />
      <div role="status">
        {attempt === undefined ? null : attempt === null ? (
          <p>{t('test.waiting')}</p>
        ) : (
          <>
            <StateMark tone={attempt.outcome === 'delivered' ? 'good' : 'bad'}>
              {attempt.outcome === 'delivered'
                ? t('test.accepted', { status: attempt.status ?? '', duration: format.duration(attempt.duration_ms) })
                : t('test.refused', { why: failure(attempt) })}
            </StateMark>
            {attempt.answer === null || attempt.answer === '' ? null : (
              <div style={{ marginTop: 10 }}>
                <CodeBlock title={t('test.answer')} code={attempt.answer} wraps />
              </div>
            )}
          </>
        )}
      </div>
    </Section>
  )
}
