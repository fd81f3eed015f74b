import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { isOpen, type Run } from '../../api/runs.ts'
import { isMapped, type Source, type SourceTrial } from '../../api/sources.ts'
import { FaultText } from '../../components/fault-text.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { useFormats } from '../../words/format.ts'
import classes from './supplier.module.css'

/** Kinds of faults that the panel's words explain completely, so that the service's sentence is not shown. */
const SAYS_NO_MORE = /^http_(?:401|403|404|410)$/

/** The URL or path of the file; null: it is uploaded. */
export const placeOf = ({ url, path }: Pick<Source, 'url' | 'path'>) => url ?? path

/** The name of the ready mapping; null: the source has a mapping of its own. */
export function presetOf({ mapping }: Pick<Source, 'mapping'>): string | null {
  const { preset } = mapping
  return typeof preset === 'string' ? preset : null
}

interface Sentence {
  tone: Tone
  text: string
}

/** The state of a source in one sentence. @param runs the supplier's newest runs */
function useSourceSentence(): (source: Source, runs: readonly Run[]) => Sentence {
  const { t } = useTranslation('sources')
  const format = useFormats()
  const now = useNow()
  const at = (moment: string) => format.clock(new Date(moment), now)
  return (source, runs) => {
    const { status, kind } = source
    if (runs.some((run) => run.source === source.name && isOpen(run))) return { tone: 'busy', text: t('is.running') }
    if (!isMapped(source)) return { tone: 'warn', text: t('is.notMapped') }
    if (kind === 'upload') return { tone: 'good', text: t('is.upload') }
    const { next_run_at: next, failures, failed_since: since, last_run_at: last } = status
    const isDue = next !== null && new Date(next) <= now
    const again =
      next === null
        ? t(source.is_active ? 'is.noNext' : 'is.offNext')
        : failures > 0
          ? t(isDue ? 'is.againDue' : 'is.again', { at: at(next) })
          : t(isDue ? 'is.due' : 'is.next', { at: at(next) })
    if (failures > 0 && since !== null)
      return { tone: 'bad', text: `${t('is.failing', { count: failures, since: at(since) })}; ${again}` }
    if (since !== null) return { tone: 'warn', text: `${t('is.nothing', { since: at(since) })}; ${again}` }
    if (!source.is_active) return { tone: 'off', text: t('is.off') }
    if (next === null) return { tone: 'off', text: last === null ? t('is.never') : t('is.asked', { at: at(last) }) }
    return { tone: 'good', text: last === null ? again : `${again}; ${t('is.last', { at: at(last) })}` }
  }
}

export function SourceState({ source, runs }: { source: Source; runs: readonly Run[] }) {
  const { tone, text: said } = useSourceSentence()(source, runs)
  const text = said.charAt(0).toLocaleUpperCase() + said.slice(1)
  return (
    <StateMark tone={tone}>
      <span title={text}>{text}</span>
    </StateMark>
  )
}

/**
 * Why a file could not be fetched and what to do, in the reader's language, followed by the service's English sentence
 * if it says more. Kinds without a translation are shown as the service wrote them.
 */
function useFetchFault(): (fault: string | null, detail: string) => { why: string | null; detail: string | null } {
  const { t } = useTranslation('sources')
  return (fault, detail) => {
    const names =
      fault === null ? [] : [fault, fault.replace(/^http_5\d\d$/, 'http_5xx').replace(/^http_4\d\d$/, 'http_4xx')]
    const known = names.find((name) => i18next.exists(`sources:faults.${name}`))
    if (known === undefined) return { why: null, detail }
    return { why: t(`faults.${known}` as 'faults.dns'), detail: SAYS_NO_MORE.test(known) ? null : detail }
  }
}

/** A fault in words, with details below. */
export function FetchFault({ fault, detail }: { fault: string | null; detail: string }) {
  const found = useFetchFault()(fault, detail)
  return (
    <>
      {found.why === null ? null : <p className={classes.detail}>{found.why}</p>}
      {found.detail === null ? null : (
        <p className={`${classes.said} ${found.why === null ? classes.detail : classes.advice}`}>
          <FaultText reason={found.detail} />
        </p>
      )}
    </>
  )
}

/** The result of testing a source. */
export function TrialResult({ trial }: { trial: SourceTrial }) {
  const { t } = useTranslation('sources')
  const format = useFormats()
  const { is_ok: isOk, file_name: name, bytes, format: kind, preset } = trial
  const parts = [
    ...(name === null ? [] : [name]),
    ...(bytes === null ? [] : [format.bytes(bytes)]),
    ...(kind === null ? [] : [t('trial.format', { format: kind.toUpperCase() })]),
    ...(preset === null ? [] : [t('trial.preset', { preset })]),
  ]
  return (
    <div className={classes.trial} role="status">
      <p className={classes.sentence}>
        <StateMark tone={isOk ? 'good' : 'bad'}>{t(isOk ? 'trial.ok' : 'trial.failed')}</StateMark>
      </p>
      {isOk ? (
        <p className={classes.detail} dir="auto">
          {parts.join(' · ')}
        </p>
      ) : (
        <FetchFault fault={trial.fault} detail={trial.detail} />
      )}
      {trial.host_key === null ? null : (
        <p className={classes.advice}>
          {t('trial.hostKey')} <code>{trial.host_key}</code>
        </p>
      )}
    </div>
  )
}
