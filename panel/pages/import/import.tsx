import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { useResource } from '../../api/resources.ts'
import { useNewestRuns, useRun } from '../../api/runs.ts'
import { isMapped, type Source, sourcesQuery, useSources } from '../../api/sources.ts'
import { FileDrop } from '../../components/file-drop.tsx'
import { Page, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { leaveAfterAsking, isSamePage, Unsaved } from '../../components/unsaved.ts'
import { Waiting } from '../../components/loaded.tsx'
import { useAccount } from '../../session/account.ts'
import classes from './import.module.css'
import { MappingEditor } from './mapping-editor.tsx'
import { isPlain } from './plain-file.ts'
import { startCheck } from './start-check.ts'
import { columnsMapping, type Doc } from './mapping.ts'
import { openDropped, type OpenedFile, openKept } from './opened-file.ts'
import { type Detected, detectFile, previewFile } from './preview-file.ts'
import { RunView } from './run-view.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { takeDroppedFile } from '../../runs/dropped-file.ts'
import { RunState } from '../../runs/run-words.tsx'
import { useFormats } from '../../words/format.ts'

const FROM = '/signed/$account/suppliers/$supplier/import'

/** An open file with its initial mapping. */
interface Opened {
  file: OpenedFile
  mapping: Doc
  detected: Detected | null
  /** Why no mapping was proposed. */
  fault: unknown
  mode: 'full' | 'delta'
  /** How the mapping is edited. */
  view: 'form' | 'json'
}

/** Imports a supplier's file in steps: drop it, map it, compare it with the offers, import it. */
export function ImportPage() {
  const { t } = useTranslation('import')
  const account = useAccount()
  const { supplier: code } = useParams({ from: FROM })
  const { run, step, source, from } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: '/$account/suppliers/$supplier/import' })
  const supplier = useResource(account.id, 'suppliers', code)
  const sources = useSources({ accountId: account.id, code })
  const [opened, setOpened] = useState<Opened | null>(null)
  // whether the mapping has changes that were neither saved nor used for a check; a run keeps its own mapping
  const [isEdited, setEdited] = useState(false)
  const [changed, setChanged] = useState<Doc | null>(null)
  const name = supplier.data?.data.name ?? code
  const isRunShown = run !== undefined && step !== 'map'
  const stage = isRunShown ? 2 : opened === null ? 0 : 1
  // the focused element of the previous step is gone
  const shown = `${stage} ${run ?? ''}`
  const before = useRef(shown)
  useEffect(() => {
    if (before.current !== shown) document.querySelector('h1')?.focus()
    before.current = shown
  }, [shown])
  return (
    <Page
      title={t('title', { name })}
      lead={t('lead')}
      above={{ to: `/${account.id}/suppliers/${code}`, label: name }}
      {...(stage === 0
        ? {}
        : {
            actions: (
              <Button
                variant="default"
                onClick={() =>
                  leaveAfterAsking(null, () => {
                    setOpened(null)
                    setEdited(false)
                    void navigate({ search: { source, from } })
                  })
                }
              >
                {t('otherFile')}
              </Button>
            ),
          })}
    >
      <Unsaved when={isEdited} stays={isSamePage} />
      <ol className={classes.steps} aria-label={t('steps.label')}>
        {(['file', 'map', 'check'] as const).map((name, i) => (
          <li key={name} aria-current={i === stage ? 'step' : undefined}>
            {t(`steps.${name}`)}
          </li>
        ))}
      </ol>
      {isRunShown ? (
        <RunView
          code={code}
          runId={run}
          changeMapping={(mapping) => {
            if (opened !== null && mapping !== null) setOpened({ ...opened, mapping })
            setChanged(mapping)
            void navigate({ search: { run, step: 'map', source, from } })
          }}
        />
      ) : opened !== null ? (
        <MappingEditor
          code={code}
          {...opened}
          change={(changes) => {
            if (changes.mapping !== undefined) setEdited(true)
            setOpened((before) => (before === null ? null : { ...before, ...changes }))
          }}
          source={source}
          sources={sources.data ?? []}
          keptRun={run}
          checked={(id) => {
            setEdited(false)
            void navigate({ search: { run: id, source, from } })
          }}
          saved={() => setEdited(false)}
        />
      ) : run !== undefined ? (
        <Reopened runId={run} changed={changed} open={setOpened} />
      ) : (
        <>
          <Start
            code={code}
            source={source}
            sources={sources.data ?? []}
            open={setOpened}
            checked={(id) => void navigate({ search: { run: id, source, from } })}
          />
          <RecentRuns code={code} />
        </>
      )}
    </Page>
  )
}

/** The first step: a file, and how to read it. */
function Start({
  code,
  source,
  sources,
  open,
  checked,
}: {
  code: string
  source: string | undefined
  sources: readonly Source[]
  open: (opened: Opened) => void
  /** Called if the file needed no questions and was compared at once. */
  checked: (runId: number) => void
}) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const navigate = useNavigate({ from: '/$account/suppliers/$supplier/import' })
  const client = useQueryClient()
  const chosen = sources.find(({ name }) => name === source)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])
  const compare = async ({ file, mapping, mode }: Opened) =>
    await startCheck(account.id, code, { file, mapping, mode, keptRun: undefined, onProgress: () => undefined })
  const read = useMutation({
    mutationFn: async ({ dropped, isFirst }: { dropped: File; isFirst: boolean }) => {
      const file = await openDropped(dropped)
      // a file may be dropped before the sources have been read
      const known =
        source === undefined ? [] : await client.ensureQueryData(sourcesQuery({ accountId: account.id, code }))
      const own = known.find(({ name }) => name === source)
      // the placeholder mapping of a new source fits no file, so a mapping is proposed
      if (own === undefined || !isMapped(own)) {
        const opened = { ...(await proposed(account.id, code, file)), mode: own?.mode ?? 'full' }
        const runId = isFirst && (await isPlain(account.id, code, opened)) ? await compare(opened) : null
        // the proposal is kept for going back from the check; a person who has left the page is not brought back
        if (isHere.current) open(opened)
        if (isHere.current && runId !== null) checked(runId)
      } else {
        const { mapping, mode } = own
        await previewFile(account.id, code, file, columnsMapping(mapping), 1)
        open({ file, mapping, detected: null, fault: null, mode, view: 'form' })
      }
    },
  })
  // a file that was dropped on the overview
  const { mutate } = read
  useEffect(() => {
    const handed = takeDroppedFile(code)
    if (handed !== null) mutate({ dropped: handed, isFirst: true })
  }, [code, mutate])
  return (
    <Section title={t('steps.file')}>
      {!read.isError ? null : (
        <>
          <p className={classes.named}>{t('drop.failed', { name: read.variables.dropped.name })}</p>
          <ProblemNote error={read.error} />
        </>
      )}
      {sources.length === 0 ? null : (
        <NativeSelect
          label={t('drop.readAs')}
          value={chosen?.name ?? ''}
          data={[
            { value: '', label: t('drop.detect') },
            ...sources.map((row) => ({
              value: row.name,
              label: t(isMapped(row) ? 'drop.asSource' : 'drop.forSource', { name: row.name }),
            })),
          ]}
          maw={420}
          mb="md"
          onChange={(event) => {
            const { value } = event.currentTarget
            void navigate({ search: (before) => ({ ...before, source: value || undefined }) })
          }}
        />
      )}
      <FileDrop
        label={t('drop.choose')}
        note={t('drop.note')}
        isBusy={read.isPending}
        choose={(file) => read.mutate({ dropped: file, isFirst: false })}
      >
        <p>{t('drop.text')}</p>
      </FileDrop>
    </Section>
  )
}

/** The service's proposal for a file. If it has none but can read the file, the columns are mapped by hand. */
async function proposed(accountId: number, code: string, file: OpenedFile): Promise<Opened> {
  try {
    const detected = await detectFile(accountId, code, file)
    return { file, mapping: detected.mapping, detected, fault: null, mode: 'full', view: 'form' }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'source-unreadable') throw error
    const mapping = { fields: {} }
    const { rows } = await previewFile(accountId, code, file, columnsMapping(mapping), 1).catch(() => {
      throw error
    })
    if (rows.length === 0) throw error
    return { file, mapping, detected: null, fault: error, mode: 'full', view: 'form' }
  }
}

/** Opens the file and mapping of a run, which the service keeps. */
function Reopened({ runId, changed, open }: { runId: number; changed: Doc | null; open: (opened: Opened) => void }) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const read = useRun(account.id, runId)
  const run = read.data?.data
  useEffect(() => {
    if (run?.file?.is_kept !== true || run.mapping === null) return
    const { file, mapping, mode } = run
    open({
      file: openKept(account.id, runId, file),
      mapping: changed ?? mapping,
      detected: null,
      fault: null,
      mode,
      view: 'form',
    })
    // runs once, so that what is typed afterwards is kept
    // oxlint-disable-next-line react/exhaustive-deps
  }, [run === undefined])
  if (read.isError) return <ProblemNote error={read.error} retry={() => void read.refetch()} />
  if (run !== undefined && (run.file?.is_kept !== true || run.mapping === null))
    return <p className={classes.quiet}>{t('notKept')}</p>
  return <Waiting lines={6} />
}

const SHOWN = 5

/** The supplier's latest files, to continue an import that was begun here. */
function RecentRuns({ code }: { code: string }) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const format = useFormats()
  const now = useNow()
  const runs = (useNewestRuns(account.id, code) ?? []).filter(({ file }) => file !== null).slice(0, SHOWN)
  if (runs.length === 0) return null
  return (
    <Section title={t('recent.title')} note={t('recent.note')}>
      <ul className={classes.recent}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link to="." search={{ run: run.id }}>
              {run.file?.name}
            </Link>
            <RunState run={run} />
            <span className={classes.quiet}>{format.relative(new Date(run.created_at), now)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
