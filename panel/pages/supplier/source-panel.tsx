import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchFaultOf, isOpen, type Run } from '../../api/runs.ts'
import {
  changeSource,
  deleteSource,
  isMapped,
  runSource,
  trySource,
  useRefreshSources,
  useSource,
  type Source,
  type SourcesOf,
  type SourceTrial,
} from '../../api/sources.ts'
import { Confirm, SidePanel } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RunState } from '../../runs/run-words.tsx'
import { useScheduleWords } from './schedule-field.tsx'
import { EditSource } from './source-form.tsx'
import { FetchFault, placeOf, presetOf, SourceState, TrialResult } from './source-words.tsx'
import classes from './supplier.module.css'

const RUNS_SHOWN = 5

interface PanelProps {
  of: SourcesOf
  name: string
  isEdited: boolean
  /** The supplier's newest runs. */
  runs: readonly Run[]
  edit: (isEdited: boolean) => void
  close: () => void
}

/** One source: its state, its actions, and its form. */
export function SourcePanel({ of, name, isEdited, runs, edit, close }: PanelProps) {
  const { t } = useTranslation('sources')
  const query = useSource(of, name)
  return (
    <SidePanel title={t('one', { name })} close={close}>
      <Loaded query={query} lines={8}>
        {(read) =>
          isEdited ? (
            <EditSource of={of} read={read} done={() => edit(false)} />
          ) : (
            <Details of={of} source={read.data} runs={runs} edit={() => edit(true)} close={close} />
          )
        }
      </Loaded>
    </SidePanel>
  )
}

function Details({
  of,
  source,
  runs,
  edit,
  close,
}: {
  of: SourcesOf
  source: Source
  runs: readonly Run[]
  edit: () => void
  close: () => void
}) {
  const { t } = useTranslation('sources')
  const navigate = useNavigate()
  const refresh = useRefreshSources()
  const [trial, setTrial] = useState<SourceTrial | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const { name, kind, status } = source
  const own = runs.filter((run) => run.source === name)
  const open = own.find(isOpen)
  const base = `/${of.accountId}/suppliers/${of.code}`
  const works = {
    run: async () => {
      const id = await runSource(of, name)
      await refresh()
      await navigate({ to: `${base}/runs/${id}` })
    },
    try: async () => {
      setTrial(null)
      setTrial(await trySource(of, name))
    },
    switch: async () => {
      await changeSource(of, name, { is_active: !source.is_active })
      await refresh()
      showMessage(t(source.is_active ? 'switchedOff' : 'switchedOn', { name }))
    },
  }
  const act = useMutation({ mutationFn: (what: keyof typeof works) => works[what]() })
  const busy = act.isPending ? act.variables : null
  const ended = own.find((run) => !isOpen(run))
  return (
    <>
      <p className={classes.sentence}>
        <SourceState source={source} runs={runs} />
      </p>
      {status.failure === null || status.failed_since === null ? null : (
        <FetchFault fault={ended === undefined ? null : fetchFaultOf(ended)} detail={status.failure} />
      )}
      <ProblemNote error={act.error} />
      <div className={classes.buttons}>
        {kind === 'upload' ? (
          <LinkButton to={`${base}/import`} search={{ source: name }} variant="filled">
            {t('importFile')}
          </LinkButton>
        ) : open === undefined ? (
          <Button loading={busy === 'run'} disabled={!isMapped(source)} onClick={() => act.mutate('run')}>
            {t('runNow')}
          </Button>
        ) : (
          <LinkButton to={`${base}/runs/${open.id}`}>{t('showRun')}</LinkButton>
        )}
        {kind === 'upload' ? null : (
          <Button variant="default" loading={busy === 'try'} onClick={() => act.mutate('try')}>
            {t('try')}
          </Button>
        )}
        <Button variant="default" onClick={edit}>
          {t('edit')}
        </Button>
        <LinkButton to={`${base}/import`} search={{ source: name }}>
          {t('map')}
        </LinkButton>
        {kind === 'upload' ? null : (
          <Button variant="default" loading={busy === 'switch'} onClick={() => act.mutate('switch')}>
            {t(source.is_active ? 'switchOff' : 'switchOn')}
          </Button>
        )}
      </div>
      {busy === 'try' ? (
        <p className={classes.trial} role="status">
          {t('trial.trying')}
        </p>
      ) : null}
      {trial === null ? null : <TrialResult trial={trial} />}
      <SourceFacts source={source} />
      <h3 className={classes.part}>{t('lastRuns')}</h3>
      {own.length === 0 ? (
        <p className={classes.quiet}>{t('noRuns')}</p>
      ) : (
        <ul className={classes.runs}>
          {own.slice(0, RUNS_SHOWN).map((run) => (
            <li key={run.id}>
              <Link
                to="/$account/suppliers/$supplier/runs/$run"
                params={{ account: String(of.accountId), supplier: of.code, run: String(run.id) }}
              >
                <RunState run={run} />
              </Link>
              <span className={classes.quiet}>
                <RelativeTime at={run.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.buttons}>
        <LinkButton to={base} search={{ tab: 'runs', source: name }}>
          {t('allRuns')}
        </LinkButton>
        <Button variant="default" c="var(--sw-bad)" onClick={() => setDeleting(true)}>
          {t('delete')}
        </Button>
      </div>
      {isDeleting ? (
        <Confirm
          title={t('deleteTitle', { name })}
          action={t('delete')}
          close={() => setDeleting(false)}
          run={async () => {
            await deleteSource(of, name)
            showMessage(t('deleted', { name }))
            close()
            await refresh()
          }}
        >
          <div className={classes.says}>
            <p>{t('deletes')}</p>
            {open === undefined ? null : <p>{t('deletesRun')}</p>}
            {source.credentials === null ? null : <p>{t('deletesCredentials')}</p>}
          </div>
        </Confirm>
      ) : null}
    </>
  )
}

function SourceFacts({ source }: { source: Source }) {
  const { t } = useTranslation('sources')
  const scheduleOf = useScheduleWords()
  const place = placeOf(source)
  const preset = presetOf(source)
  const { kind, credentials, host_key: hostKey, mode } = source
  return (
    <Facts
      facts={[
        [t('fields.kind'), t(`kinds.${kind}`)],
        ...(place === null ? [] : ([[t('place'), <code key="place">{place}</code>]] as const)),
        ...(kind === 'upload' ? [] : ([[t('schedule.title'), scheduleOf(source)]] as const)),
        [t('fields.mapping'), isMapped(source) ? (preset ?? t('ownMapping')) : t('is.notMapped')],
        [t('fields.mode'), t(`modeMeans.${mode}`)],
        ...(kind === 'upload' || kind === 'directory'
          ? []
          : ([
              [
                t('fields.credentials'),
                credentials === null ? t('noCredentials') : t(`credentials.${credentials.kind}`),
              ],
            ] as const)),
        ...(hostKey === null ? [] : ([[t('fields.host_key'), <code key="key">{hostKey}</code>]] as const)),
      ]}
    />
  )
}
