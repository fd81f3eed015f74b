import { useTranslation } from 'react-i18next'
import { fetchFaultOf, type Run } from '../api/runs.ts'
import { StateMark, type Tone } from '../components/state-mark.tsx'
import { useFormats } from '../words/format.ts'
import './words.ts'

const TONES: Readonly<Record<Run['state'], Tone>> = {
  waiting: 'busy',
  fetching: 'busy',
  reading: 'busy',
  writing: 'busy',
  resolving: 'busy',
  succeeded: 'good',
  unchanged: 'good',
  held: 'warn',
  refused: 'bad',
  failed: 'bad',
  canceled: 'off',
}

/** Red means that a person is needed; a run with refused rows is only amber. */
export const toneOf = (run: Pick<Run, 'state' | 'refused' | 'stale' | 'trigger'>): Tone =>
  run.state === 'succeeded' && run.refused + run.stale > 0 ? 'warn' : TONES[run.state]

/** A run's state as one sentence with its figures. */
export function useRunSentence(): (run: Run) => string {
  const { t } = useTranslation('runs')
  const format = useFormats()
  return (run) => {
    const { state, trigger, dry_run: isDry, rows, refused } = run
    if (state === 'reading') return t('is.reading', { count: rows, shown: format.number(rows) })
    if (state === 'writing') {
      const values = { written: format.number(run.written), total: run.total === null ? '?' : format.number(run.total) }
      if (run.problem?.code === 'quota-exceeded') return t('is.paced', values)
      return t(trigger === 'undo' ? 'is.undoing' : 'is.writing', values)
    }
    if (state === 'failed') {
      if (fetchFaultOf(run) !== null) return t('is.notFetched')
      return run.written === 0 ? t('is.failed') : t('is.failedLate', { count: run.written })
    }
    if (state !== 'succeeded') return t(`is.${state}`)
    const sum = run.created + run.changed + run.zeroed
    const done =
      trigger === 'undo'
        ? t('is.undone', { count: run.changed + run.zeroed })
        : isDry
          ? t('is.dry', { count: sum })
          : sum === 0
            ? t('is.nothing')
            : t('is.succeeded', { count: sum })
    const left =
      refused === 0
        ? []
        : [trigger === 'undo' ? t('is.left', { count: refused }) : t('is.refusedRows', { count: refused })]
    return [done, ...left].join('; ')
  }
}

export function RunState({ run }: { run: Run }) {
  const text = useRunSentence()(run)
  return (
    <StateMark tone={toneOf(run)}>
      <span title={text}>{text}</span>
    </StateMark>
  )
}

/** The origin of a run: its source, or who started it. */
export function useRunOrigin(): (run: Run) => string {
  const { t } = useTranslation('runs')
  return ({ source, trigger, mode, dry_run: isDry }) =>
    [
      source === null ? t(`triggers.${trigger}`) : source,
      ...(trigger === 'undo' ? [] : [t(`modes.${mode}`)]),
      ...(isDry ? [t('dryRun')] : []),
    ].join(' · ')
}

type Excess = Run['excesses'][number]

/** A limit that a file exceeds, in words; kinds that the panel does not know, in the service's words. */
export function useExcessWords(): (excess: Excess) => string {
  const { t, i18n } = useTranslation('runs')
  const format = useFormats()
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 2 })
  return ({ kind, count, of, limit, text }) => {
    if (!i18n.exists(`runs:excess.${kind}_other`) && !i18n.exists(`runs:excess.${kind}`)) return text
    return t(`excess.${kind}` as 'excess.zeroed', {
      count,
      shown: format.number(count),
      of: format.number(of),
      limit: percent.format(limit),
    })
  }
}
