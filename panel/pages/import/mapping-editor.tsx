import { Button, NativeSelect, Tabs } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../../api/problem.ts'
import type { Source } from '../../api/sources.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/section.tsx'
import { tell } from '../../components/told.tsx'
import { RowGroups } from '../../runs/row-groups.tsx'
import '../../runs/words.ts'
import { useAccount } from '../../session/account.ts'
import { AvailabilityForm } from './availability-form.tsx'
import { columnsOf } from './columns.ts'
import { ColumnTable } from './column-table.tsx'
import { FieldsForm } from './fields-form.tsx'
import { FileForm } from './file-form.tsx'
import { GroupForm } from './group-form.tsx'
import classes from './import.module.css'
import { JsonEditor } from './json-editor.tsx'
import { LeaveOut } from './leave-out.tsx'
import type { Doc } from './mapping.ts'
import { OfferPreview, Problems } from './offer-preview.tsx'
import type { OpenedFile } from './opened-file.ts'
import { useDetected, usePreview, type Detected } from './preview-file.ts'
import { previewedGroups } from './previewed-groups.ts'
import { RowRules } from './row-rules.tsx'
import { SaveMapping } from './save-mapping.tsx'
import { startCheck } from './start-check.ts'

/** The mapping in front of the file's data: columns on top, the fields of an offer, and the offers that come of them. */
export function MappingEditor({
  code,
  file,
  mapping: doc,
  detected,
  fault,
  mode,
  view,
  change,
  source,
  sources,
  keptRun,
  checked,
}: {
  code: string
  file: OpenedFile
  mapping: Doc
  detected: Detected | null
  fault: unknown
  mode: 'full' | 'delta'
  view: 'form' | 'json'
  /** What is edited is the page's: it stays when this is not shown for a while. */
  change: (changes: { mapping?: Doc; mode?: 'full' | 'delta'; view?: 'form' | 'json' }) => void
  /** The source whose mapping was taken. */
  source: string | undefined
  sources: readonly Source[]
  /** A run of this file, which the service keeps: it need not be sent again. */
  keptRun: number | undefined
  checked: (runId: number) => void
}) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const setDoc = (mapping: Doc) => change({ mapping })
  const [sent, setSent] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const form = useDetected(code, file, detected)
  const { rows, offers } = usePreview(code, file, doc, form?.form.header_line ?? null)
  const columns = useMemo(() => columnsOf(rows.map(({ row }) => row)), [rows])
  const problem = offers.isError ? asProblem(offers.error) : null
  const faults = problem?.faults ?? []
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])
  const isSending = sent !== null && file.file !== null
  // leaving the panel would end the sending
  useEffect(() => {
    if (!isSending) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isSending])
  const check = async () => {
    setError(null)
    setSent(0)
    try {
      const runId = await startCheck(account.id, code, { file, mapping: doc, mode, keptRun, onProgress: setSent })
      // whoever has left the page meanwhile stays where they are
      if (isHere.current) checked(runId)
      else tell(t('check.begun', { name: file.name }))
    } catch (caught) {
      setError(caught)
      setSent(null)
    }
  }
  return (
    <>
      {fault === null ? null : <ProblemNote error={fault} />}
      <FileForm file={file} detected={form} doc={doc} change={setDoc} faults={faults} />
      <Section title={t('columns.title')} note={t('columns.note')} isFlush>
        <ColumnTable columns={columns} doc={doc} rows={rows} />
      </Section>
      <Tabs value={view} onChange={(next) => change({ view: next === 'json' ? 'json' : 'form' })} keepMounted={false}>
        <Tabs.List aria-label={t('views.label')} mb="md">
          <Tabs.Tab value="form">{t('views.form')}</Tabs.Tab>
          <Tabs.Tab value="json">{t('views.json')}</Tabs.Tab>
        </Tabs.List>
        <div className={classes.beside}>
          <div>
            <Tabs.Panel value="form">
              <FieldsForm doc={doc} change={setDoc} columns={columns} faults={faults} prices={form?.prices ?? []} />
              <AvailabilityForm doc={doc} change={setDoc} faults={faults} rows={rows} />
              <GroupForm doc={doc} change={setDoc} columns={columns} faults={faults} />
              <RowRules doc={doc} change={setDoc} columns={columns} faults={faults} />
            </Tabs.Panel>
            <Tabs.Panel value="json">
              <JsonEditor doc={doc} change={setDoc} faults={faults} />
            </Tabs.Panel>
          </div>
          <div className={classes.follows}>
            <OfferPreview read={offers} doc={doc} />
            <Problems read={offers} doc={doc} change={setDoc} />
            <RowGroups
              {...previewedGroups(offers.data?.rows ?? [], doc)}
              leaveOut={<LeaveOut field="cost" value={null} doc={doc} change={setDoc} />}
            />
          </div>
        </div>
      </Tabs>
      <Section title={t('check.title')} note={t('check.note')}>
        {error === null ? null : <ProblemNote error={error} faults={asProblem(error).faults} />}
        <NativeSelect
          label={t('mode.label')}
          description={t('mode.hint')}
          value={mode}
          maw={520}
          mb="md"
          data={[
            { value: 'full', label: t('mode.full') },
            { value: 'delta', label: t('mode.delta') },
          ]}
          onChange={(event) => change({ mode: event.currentTarget.value === 'delta' ? 'delta' : 'full' })}
        />
        <div className={classes.buttons}>
          <Button loading={sent !== null} disabled={problem !== null} onClick={() => void check()}>
            {t('check.start')}
          </Button>
          {sent === null || file.file === null ? null : (
            <label className={classes.sending}>
              {t('check.sending', { share: Math.round(sent * 100) })}
              <progress max={1} value={sent} />
            </label>
          )}
        </div>
      </Section>
      <SaveMapping code={code} mapping={doc} mode={mode} source={source} sources={sources} isValid={problem === null} />
    </>
  )
}
