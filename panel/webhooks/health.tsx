import { useTranslation } from 'react-i18next'
import type { Answer } from '../api/client.ts'
import { useNow } from '../components/relative-time.tsx'
import { StateMark, type Tone } from '../components/state-mark.tsx'
import { useFormats } from '../words/format.ts'
import { isUntried } from './untried.ts'
import './words.ts'

type Health = Answer<'GET /panel/api/accounts/{account_id}/endpoints'>['data'][number]['health']

const TONES: Readonly<Record<Health['state'], Tone>> = {
  healthy: 'good',
  failing: 'warn',
  paused: 'bad',
  disabled: 'off',
}

/** An endpoint's state as one sentence, with the time of the next attempt. */
export function HealthSentence({ health }: { health: Health }) {
  const sentence = useHealthSentence(health)
  return (
    <StateMark tone={isUntried(health) ? 'off' : TONES[health.state]}>
      <span title={sentence}>{sentence}</span>
    </StateMark>
  )
}

/** An endpoint's health as one sentence. */
export function useHealthSentence(health: Health): string {
  const { t } = useTranslation('webhooks')
  const format = useFormats()
  const now = useNow()
  const clock = (at: string) => format.clock(new Date(at), now)
  const isPast = (at: string) => new Date(at) <= now
  const { state, failures, waiting } = health
  const parts: string[] = []
  if (state === 'healthy') parts.push(t(isUntried(health) ? 'health.untried' : 'health.healthy'))
  if (state === 'disabled') parts.push(t('health.disabled'))
  if (state === 'failing')
    parts.push(
      health.failing_since === null
        ? t('health.failing', { count: failures })
        : t('health.failingSince', { since: clock(health.failing_since), count: failures }),
    )
  if (state === 'paused')
    parts.push(
      health.paused_until === null || isPast(health.paused_until)
        ? t('health.pausedUntilChange', { count: failures })
        : t('health.pausedUntil', { until: clock(health.paused_until), count: failures }),
    )
  const next = state === 'failing' ? health.next_attempt_at : null
  if (next !== null) parts.push(isPast(next) ? t('health.due') : t('health.next', { at: clock(next) }))
  if (waiting.products > 0)
    parts.push(t(waiting.is_capped ? 'health.waitingMany' : 'health.waiting', { count: waiting.products }))
  if (health.parked > 0) parts.push(t('health.parked', { count: health.parked }))
  return parts.join('; ')
}

/** The reason of the last failure, in words. */
export function useFailureWords(): (failure: { status: number | null; fault: string | null }) => string {
  const { t, i18n } = useTranslation('webhooks')
  return ({ status, fault }) => {
    if (status !== null) return t('answered', { status })
    const key = `faults.${fault ?? ''}`
    // these are error classes of the service; those without a translation are shown as they are
    return i18n.exists(key, { ns: 'webhooks' }) ? t(key as 'faults.timeout') : (fault ?? t('faults.other'))
  }
}
