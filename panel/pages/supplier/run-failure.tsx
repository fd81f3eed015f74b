import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchFaultOf, type RunDetails } from '../../api/runs.ts'
import type { Source } from '../../api/sources.ts'
import { FaultText } from '../../components/fault-text.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { useExcessWords } from '../../runs/run-words.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { FetchFault, placeOf } from './source-words.tsx'
import classes from './supplier.module.css'
import { supplierTabs } from './search.ts'

/** Faults that may be gone at the next attempt. For others the source must be edited, or the supplier asked. */
const PASSING = /^(?:http_5\d\d|http_408|http_429|timeout|reset|failed)$/
/** The service's words for a server that answers with an HTML page instead of a file. */
const HTML = /\bis an HTML page\b/

const isHtml = ({ state, problem }: RunDetails) => state === 'refused' && problem !== null && HTML.test(problem.detail)

/** Whether the source's address or credentials are probably wrong. */
export function isFaultOfSource(run: RunDetails): boolean {
  const fault = fetchFaultOf(run)
  return fault === null ? isHtml(run) : !PASSING.test(fault)
}

/** Why nothing was imported. @param source the source of the run, in its current state */
export function RunFailure({ run, source }: { run: RunDetails; source: Source | null }) {
  const { t } = useTranslation('runs')
  const excess = useExcessWords()
  const { state, problem, excesses } = run
  if (state === 'held')
    return (
      <ul className={classes.excesses}>
        {excesses.map((row) => (
          <li key={row.kind}>{excess(row)}</li>
        ))}
      </ul>
    )
  if (problem === null) return null
  // the sentence about a limit already says all that its error does
  const errors = problem.code === 'quota-exceeded' ? [] : problem.errors.filter(({ name }) => name !== 'source')
  const place = source === null || !(fetchFaultOf(run) !== null || isHtml(run)) ? null : placeOf(source)
  return (
    <>
      {isHtml(run) ? (
        <p className={classes.detail}>{t('html')}</p>
      ) : (
        <FetchFault fault={fetchFaultOf(run)} detail={problem.detail} />
      )}
      {place === null ? null : (
        <p className={classes.detail}>
          <code dir="ltr">{place}</code>
        </p>
      )}
      {errors.length === 0 || state === 'canceled' ? null : (
        <ul className={classes.excesses}>
          {errors.map(({ name, reason }) => (
            <li key={`${name} ${reason}`}>
              {name}: <FaultText reason={reason} />
            </li>
          ))}
        </ul>
      )}
      {problem.code === 'internal' ? <p className={classes.advice}>{t('internal')}</p> : null}
    </>
  )
}

/** What a run means for the shop, and what to do next. @param source the source of the run, in its current state */
export function NextStep({ run, code, source }: { run: RunDetails; code: string; source: Source | null }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  const again = useNextRun()
  const { state, refused, trigger, undone_by: undoneBy, dry_run: isDry, written } = run
  const base = `/${account.id}/suppliers/${code}`
  const said: ReactNode[] = []
  if (!isDry && (state === 'held' || state === 'refused' || (state === 'failed' && written === 0)))
    said.push(t('means.nothing'))
  if (state === 'held') said.push(t('next.held'))
  if (state === 'refused') {
    const next = run.source === null ? 'next.refusedFile' : isHtml(run) ? 'next.html' : 'next.refusedSource'
    said.push(t(next))
  }
  if (state === 'failed' && run.source === null) said.push(t('next.failedFile'))
  if ((state === 'failed' || state === 'refused') && source !== null) said.push(again(source))
  if (state === 'unchanged') said.push(t('next.unchanged'))
  if (state === 'succeeded' && trigger !== 'undo' && refused > 0) said.push(t('next.refusedRows'))
  if (state === 'succeeded' && run.stale > 0)
    said.push(
      <>
        {t('next.stale')}{' '}
        <Link to={base} search={{ tab: supplierTabs.limits } as never}>
          {t('next.showStale')}
        </Link>
      </>,
    )
  if (state === 'succeeded' && isDry) said.push(t('next.dry'))
  if (undoneBy !== null)
    said.push(
      <>
        {t('undoneBy')} <RunLink code={code} id={undoneBy} />
      </>,
    )
  return said.map((words, i) => (
    // each sentence occurs once
    <p key={i} className={classes.advice}>
      {words}
    </p>
  ))
}

/** When a source is fetched next, as a sentence. */
function useNextRun(): (source: Source) => string {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const now = useNow()
  return ({ status: { next_run_at: next }, is_active: isActive }) => {
    if (next === null) return t(isActive ? 'next.notByItself' : 'next.off')
    const moment = new Date(next)
    return moment <= now ? t('next.due') : t('next.at', { at: format.clock(moment, now) })
  }
}

export function RunLink({ code, id }: { code: string; id: number | null }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  if (id === null) return null
  return (
    <Link
      to="/$account/suppliers/$supplier/runs/$run"
      params={{ account: String(account.id), supplier: code, run: String(id) }}
    >
      {t('show')}
    </Link>
  )
}
