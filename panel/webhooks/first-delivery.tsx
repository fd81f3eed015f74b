import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemNote } from '../components/problem-note.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { useFormats } from '../words/format.ts'
import classes from './first-delivery.module.css'
import { useFailureWords } from './health.tsx'
import type { LogSource } from './log-source.ts'
import './words.ts'

const AGAIN_MS = 3_000
/** Some two minutes of attempts; after that, nobody is starting a receiver any more. */
const SENT_MAX = 40

type Attempt = Awaited<ReturnType<LogSource['test']>>['attempt']
const isReceived = (attempt: Attempt) => attempt?.outcome === 'delivered'

/**
 * Sends a test to a new endpoint while its secret is shown, and says when it was received. The receiver is usually started with that
 * secret only now, so a test that is not accepted is sent again automatically (docs/decisions/242-a-shop-is-connected-in-one-step.md).
 */
export function FirstDelivery({ source }: { source: LogSource }) {
  const { t } = useTranslation('webhooks')
  const count = useRef(0)
  const sent = useQuery({
    queryKey: [...source.key, 'first delivery'],
    queryFn: async () => {
      count.current++
      return { attempt: (await source.test()).attempt, count: count.current }
    },
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isReceived(data.attempt) || data.count >= SENT_MAX ? false : AGAIN_MS,
    // the person may be looking at the receiver's window instead
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const again = () => void sent.refetch()
  const isOver = sent.data !== undefined && sent.data.count >= SENT_MAX && !isReceived(sent.data.attempt)
  return (
    <section className={classes.first} aria-label={t('first.title')}>
      <strong>{t('first.title')}</strong>
      {sent.isError ? <ProblemNote error={sent.error} retry={again} /> : null}
      <p role="status">{sent.isError ? null : <Sent attempt={sent.data?.attempt} isOver={isOver} />}</p>
      {isOver ? (
        <Button variant="default" size="xs" loading={sent.isFetching} onClick={again}>
          {t('first.send')}
        </Button>
      ) : null}
    </section>
  )
}

/** The result of the last attempt. */
function Sent({ attempt, isOver }: { attempt: Attempt | undefined; isOver: boolean }) {
  const { t } = useTranslation('webhooks')
  const format = useFormats()
  const failure = useFailureWords()
  if (attempt === undefined) return <StateMark tone="busy">{t('first.sending')}</StateMark>
  if (attempt === null) return <StateMark tone="busy">{t('test.waiting')}</StateMark>
  if (!isReceived(attempt))
    return (
      <StateMark tone={isOver ? 'warn' : 'busy'}>
        {t(isOver ? 'first.ended' : 'first.again', { why: failure(attempt) })}
      </StateMark>
    )
  return (
    <StateMark tone="good">
      {t('first.received', { status: attempt.status ?? '', duration: format.duration(attempt.duration_ms) })}
    </StateMark>
  )
}
