import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { isOpen, repeatRun, type RunDetails } from '../../api/runs.ts'
import { runSource, useRefreshSources, useSources } from '../../api/sources.ts'
import { Confirm } from '../../components/dialog.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { showMessage } from '../../components/messages.tsx'
import { toneOf, useExcessWords, useRunSentence } from '../../runs/run-words.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { isFaultOfSource, NextStep, RunLink, RunFailure } from './run-failure.tsx'
import classes from './supplier.module.css'
import { UndoDialog } from './undo-dialog.tsx'

type Asked = 'confirm' | 'cancel' | 'undo'

/** The state of a run, its reason, the next step, and the actions. */
export function RunSummary({ run, code }: { run: RunDetails; code: string }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  const navigate = useNavigate()
  const refresh = useRefreshSources()
  const sentence = useRunSentence()(run)
  const [asked, setAsked] = useState<Asked | null>(null)
  const choices = useRead(
    'GET /panel/api/accounts/{account_id}/runs/{run_id}/choices',
    { params: { ...useAccountParams(), run_id: run.id } },
    { isEnabled: !isOpen(run), everyMs: 15_000 },
  ).data?.data
  const base = `/${account.id}/suppliers/${code}`
  const { state, source } = run
  const request = { accountId: account.id, params: { id: run.id } }
  const works = {
    again: async () => {
      const id = await runSource({ accountId: account.id, code }, source ?? '')
      await refresh()
      await navigate({ to: `${base}/runs/${id}` })
    },
    /** The preview of a held run is a dry run of its file without limits. */
    compare: async () => {
      const id = await repeatRun(account.id, run.id, { dry_run: true, confirm: true })
      await navigate({ to: `${base}/import`, search: { run: id, ...(source === null ? {} : { source }) } as never })
    },
  }
  const act = useMutation({ mutationFn: (what: keyof typeof works) => works[what]() })
  const ofSource = useSources({ accountId: account.id, code }).data?.find(({ name }) => name === source) ?? null
  const isToBeEdited = ofSource !== null && isFaultOfSource(run)
  const isImportable = state === 'refused' || state === 'failed' || (run.dry_run && state === 'succeeded')
  const canUndo = choices?.undo === null
  const hasRefusedRows = state === 'succeeded' && run.trigger !== 'undo' && run.refused > 0
  return (
    <Section title={t('state')}>
      <p className={classes.sentence}>
        <StateMark tone={toneOf(run)}>{sentence}</StateMark>
      </p>
      {isOpen(run) ? <Progress run={run} /> : <RunFailure run={run} source={ofSource} />}
      <NextStep run={run} code={code} source={ofSource} />
      <ProblemNote error={act.error} />
      <div className={classes.buttons}>
        {state === 'held' && choices?.confirm === null ? (
          <Button onClick={() => setAsked('confirm')}>{t('confirm.open')}</Button>
        ) : null}
        {isToBeEdited ? (
          <LinkButton to={base} search={{ open: source, edit: true }} variant="filled">
            {t('edit')}
          </LinkButton>
        ) : null}
        {(state === 'refused' && !isToBeEdited) || hasRefusedRows ? (
          <LinkButton
            to={`${base}/import`}
            search={{
              ...(run.file?.is_kept === true ? { run: run.id, step: 'map' } : {}),
              ...(source === null ? {} : { source }),
            }}
            variant={state === 'refused' ? 'filled' : 'default'}
          >
            {t('map')}
          </LinkButton>
        ) : null}
        {isImportable && source !== null ? (
          <Button
            variant={isToBeEdited || state === 'refused' ? 'default' : 'filled'}
            onClick={() => act.mutate('again')}
          >
            {t('again')}
          </Button>
        ) : null}
        {source === null && isImportable ? <LinkButton to={`${base}/import`}>{t('importFile')}</LinkButton> : null}
        {state === 'held' && run.file?.is_kept === true ? (
          <Button
            variant="default"
            loading={act.isPending && act.variables === 'compare'}
            onClick={() => act.mutate('compare')}
          >
            {t('compare')}
          </Button>
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
            showMessage(t('confirm.done'))
          }}
        />
      ) : null}
      {asked === 'cancel' ? (
        <Confirm
          title={t('cancel.title')}
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
          undo={async (isForced) => {
            const { data } = await call('POST /v1/account/imports/{id}/undo', {
              ...request,
              query: { restore_changed: isForced },
            })
            await refresh()
            await navigate({ to: `${base}/runs/${data.id}` })
          }}
        />
      ) : null}
    </Section>
  )
}

/** The progress of a run, which continues if the page is left. */
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

function ConfirmDialog({ run, confirm, close }: { run: RunDetails; confirm: () => Promise<void>; close: () => void }) {
  const { t } = useTranslation('runs')
  const excess = useExcessWords()
  return (
    <Confirm title={t('confirm.title')} action={t('confirm.action')} run={confirm} close={close}>
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
