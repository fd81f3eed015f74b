import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { isOpen, type RunDetails } from '../../api/runs.ts'
import { runSource, useRefreshSources } from '../../api/sources.ts'
import { Confirm } from '../../components/dialog.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/section.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { tell } from '../../components/told.tsx'
import { toneOf, useExcessWords, useRunSentence } from '../../runs/run-words.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { FetchFault, fetchFaultOf } from './source-words.tsx'
import classes from './supplier.module.css'
import { supplierTabs } from './tabs.ts'

type Asked = 'confirm' | 'cancel' | 'undo'

/** How a run is, why, what to do next, and the buttons for it. */
export function RunSummary({ run, code }: { run: RunDetails; code: string }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  const navigate = useNavigate()
  const refresh = useRefreshSources()
  const sentence = useRunSentence()(run)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [error, setError] = useState<unknown>(null)
  const choices = useRead(
    'GET /panel/api/accounts/{account_id}/runs/{run_id}/choices',
    { params: { ...useAccountParams(), run_id: run.id } },
    { isEnabled: !isOpen(run), everyMs: 15_000 },
  ).data?.data
  const base = `/${account.id}/suppliers/${code}`
  const { state, source } = run
  const request = { accountId: account.id, params: { id: run.id } }
  const again = async () => {
    setError(null)
    try {
      const id = await runSource({ accountId: account.id, code }, source ?? '')
      await refresh()
      await navigate({ to: `${base}/runs/${id}` })
    } catch (caught) {
      setError(caught)
    }
  }
  const isImportable = state === 'refused' || state === 'failed' || (run.dry_run && state === 'succeeded')
  const canUndo = choices?.undo === null
  const hasRefusedRows = state === 'succeeded' && run.trigger !== 'undo' && run.refused > 0
  return (
    <Section title={t('state')}>
      <p className={classes.sentence}>
        <StateMark tone={toneOf(run)}>{sentence}</StateMark>
      </p>
      {isOpen(run) ? <Progress run={run} /> : <Why run={run} />}
      <NextStep run={run} code={code} />
      {error === null ? null : <ProblemNote error={error} />}
      <div className={classes.buttons}>
        {state === 'held' && choices?.confirm === null ? (
          <Button onClick={() => setAsked('confirm')}>{t('confirm.open')}</Button>
        ) : null}
        {isImportable && source !== null ? <Button onClick={() => void again()}>{t('again')}</Button> : null}
        {state === 'refused' || (isImportable && source === null) || hasRefusedRows ? (
          <LinkButton to={`${base}/import`} {...(source === null ? {} : { search: { source } })}>
            {t(source === null ? 'importFile' : 'map')}
          </LinkButton>
        ) : null}
        {state === 'held' || (isOpen(run) && state !== 'resolving') ? (
          <Button variant="default" onClick={() => setAsked('cancel')}>
            {t(state === 'held' ? 'cancel.held' : 'cancel.open')}
          </Button>
        ) : null}
        {canUndo ? (
          <Button variant="default" onClick={() => setAsked('undo')}>
            {t('undo.open')}
          </Button>
        ) : null}
      </div>
      {state === 'held' && choices !== undefined && choices.confirm !== null ? (
        <p className={classes.advice}>
          {t(`confirm.not.${choices.confirm.kind}`)} <RunLink code={code} id={choices.confirm.run_id} />
        </p>
      ) : null}
      {asked === 'confirm' ? (
        <ConfirmDialog
          run={run}
          close={() => setAsked(null)}
          confirm={async () => {
            await call('POST /v1/account/imports/{id}/confirm', request)
            await refresh()
            tell(t('confirm.done'))
          }}
        />
      ) : null}
      {asked === 'cancel' ? (
        <Confirm
          title={t('cancel.title', { id: run.id })}
          action={t(state === 'held' ? 'cancel.held' : 'cancel.open')}
          close={() => setAsked(null)}
          run={async () => {
            await call('POST /v1/account/imports/{id}/cancel', request)
            await refresh()
          }}
        >
          <p>{t(state === 'held' ? 'cancel.heldText' : 'cancel.text')}</p>
        </Confirm>
      ) : null}
      {asked === 'undo' ? (
        <UndoDialog
          run={run}
          close={() => setAsked(null)}
          undo={async () => {
            const { data } = await call('POST /v1/account/imports/{id}/undo', request)
            await refresh()
            await navigate({ to: `${base}/runs/${data.id}` })
          }}
        />
      ) : null}
    </Section>
  )
}

/** How far it is. The service keeps it: leaving the page changes nothing. */
function Progress({ run }: { run: RunDetails }) {
  const { t } = useTranslation('runs')
  const { state, total, written } = run
  const isKnown = state === 'writing' && total !== null && total > 0
  return (
    <div className={classes.progress}>
      <progress
        aria-label={t('progress')}
        {...(isKnown
          ? { value: Math.min(written, total), max: total }
          : state === 'resolving'
            ? { value: 1, max: 1 }
            : {})}
      />
      <span className={classes.figures}>{t('leave')}</span>
    </div>
  )
}

/** Why nothing was imported. */
function Why({ run }: { run: RunDetails }) {
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
  const errors = (problem.errors as readonly { name: string; reason: string }[]).filter(({ name }) => name !== 'source')
  return (
    <>
      <FetchFault fault={fetchFaultOf(run)} detail={problem.detail} />
      {errors.length === 0 || state === 'canceled' ? null : (
        <ul className={classes.excesses} lang="en">
          {errors.map(({ name, reason }) => (
            <li key={`${name} ${reason}`} dir="auto">
              {name}: {reason}
            </li>
          ))}
        </ul>
      )}
      {problem.code === 'internal' ? <p className={classes.advice}>{t('internal')}</p> : null}
    </>
  )
}

/** What somebody who reads a run can do next. */
function NextStep({ run, code }: { run: RunDetails; code: string }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  const { state, source, refused, trigger, undone_by: undoneBy } = run
  const base = `/${account.id}/suppliers/${code}`
  const said: ReactNode[] = []
  if (state === 'held') said.push(t('next.held'))
  if (state === 'refused') said.push(t(source === null ? 'next.refusedFile' : 'next.refusedSource'))
  if (state === 'failed') said.push(t(source === null ? 'next.failedFile' : 'next.failedSource'))
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
  if (state === 'succeeded' && run.dry_run) said.push(t('next.dry'))
  if (undoneBy !== null)
    said.push(
      <>
        {t('undoneBy')} <RunLink code={code} id={undoneBy} />
      </>,
    )
  return said.map((words, i) => (
    // there is one of each
    <p key={i} className={classes.advice}>
      {words}
    </p>
  ))
}

function RunLink({ code, id }: { code: string; id: number | null }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  if (id === null) return null
  return (
    <Link
      to="/$account/suppliers/$supplier/runs/$run"
      params={{ account: String(account.id), supplier: code, run: String(id) }}
    >
      {t('one', { id })}
    </Link>
  )
}

function ConfirmDialog({ run, confirm, close }: { run: RunDetails; confirm: () => Promise<void>; close: () => void }) {
  const { t } = useTranslation('runs')
  const excess = useExcessWords()
  return (
    <Confirm title={t('confirm.title', { id: run.id })} action={t('confirm.action')} run={confirm} close={close}>
      <div className={classes.says}>
        <p>{t('confirm.text')}</p>
        <ul>
          {run.excesses.map((row) => (
            <li key={row.kind}>{excess(row)}</li>
          ))}
        </ul>
        <p>{t(run.mode === 'full' ? 'confirm.full' : 'confirm.delta')}</p>
      </div>
    </Confirm>
  )
}

function UndoDialog({ run, undo, close }: { run: RunDetails; undo: () => Promise<void>; close: () => void }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const figures = (['changed', 'zeroed', 'created'] as const).filter((name) => run[name] > 0)
  return (
    <Confirm
      title={t('undo.title', { id: run.id })}
      action={t('undo.open')}
      isDangerous={false}
      run={undo}
      close={close}
    >
      <div className={classes.says}>
        <ul>
          {figures.map((name) => (
            <li key={name}>{t(`undo.takes.${name}`, { count: run[name], shown: format.number(run[name]) })}</li>
          ))}
        </ul>
        <p>{t('undo.limits')}</p>
        {run.source === null ? null : <p>{t('undo.source')}</p>}
      </div>
    </Confirm>
  )
}
