import { Button, NativeSelect, Tabs } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../../api/problem.ts'
import type { Source } from '../../api/sources.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { useIsPhone } from '../../components/phone.ts'
import { leaveAfterAsking, Unsaved, UnsavedScope, useScope } from '../../components/unsaved.ts'
import { showMessage } from '../../components/messages.tsx'
import { Remark } from '../../runs/remark.tsx'
import { type LeftOutGroup, RowGroups, type WithoutCost } from '../../runs/row-groups.tsx'
import '../../runs/words.ts'
import { useAccount } from '../../session/account.ts'
import { remarksOf, type ReceivedRemark } from '../../words/remarks.ts'
import { AvailabilityForm } from './availability-form.tsx'
import { columnsOf } from './columns.ts'
import { ColumnCards } from './column-cards.tsx'
import { ColumnTable } from './column-table.tsx'
import { FieldsForm } from './fields-form.tsx'
import { FileForm } from './file-form.tsx'
import { GroupForm } from './group-form.tsx'
import classes from './import.module.css'
import { JsonEditor } from './json-editor.tsx'
import { LeaveOut } from './leave-out.tsx'
import { columnsIn, type Doc, fieldsOf } from './mapping.ts'
import { OfferPreview, Problems } from './offer-preview.tsx'
import type { OpenedFile } from './opened-file.ts'
import { type Detected, type PreviewedRow, useDetected, usePreview } from './preview-file.ts'
import { RowRules } from './row-rules.tsx'
import { SaveMapping } from './save-mapping.tsx'
import { VariantsForm } from './variants-form.tsx'
import { startCheck } from './start-check.ts'

const isWithinPanel = () => true

/** The mapping together with the file's data: columns at the top, the offer's fields, and the resulting offers. */
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
  saved,
}: {
  code: string
  file: OpenedFile
  mapping: Doc
  detected: Detected | null
  fault: unknown
  mode: 'full' | 'delta'
  view: 'form' | 'json'
  /** The page keeps the edited state, so that it survives while the editor is not shown. */
  change: (changes: { mapping?: Doc; mode?: 'full' | 'delta'; view?: 'form' | 'json' }) => void
  /** The source whose mapping is used. */
  source: string | undefined
  sources: readonly Source[]
  /** A run whose file the service keeps, so that the file is not uploaded again. */
  keptRun: number | undefined
  checked: (runId: number) => void
  saved: () => void
}) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const isPhone = useIsPhone()
  const setDoc = (mapping: Doc) => change({ mapping })
  const [sent, setSent] = useState(0)
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
  const scope = useScope()
  const check = useMutation({
    mutationFn: async () => {
      setSent(0)
      const runId = await startCheck(account.id, code, { file, mapping: doc, mode, keptRun, onProgress: setSent })
      // a person who has left the page is not brought back
      if (isHere.current) checked(runId)
      else showMessage(t('check.begun', { name: file.name }))
    },
  })
  // also after success, until the page shows the check
  const isBusy = check.isPending || check.isSuccess
  const isSending = isBusy && file.file !== null
  return (
    <>
      {/* leaving the panel would cancel the upload; other pages of the panel do not */}
      <Unsaved when={isSending} stays={isWithinPanel} />
      <ProblemNote error={fault} />
      <Questions of={detected === null ? [] : remarksOf(detected)} />
      <FileForm file={file} detected={form} doc={doc} change={setDoc} faults={faults} isFolded={isPhone} />
      <Section title={t('columns.title')} note={t('columns.note')} isFlush={!isPhone}>
        {isPhone ? (
          <ColumnCards columns={columns} doc={doc} change={setDoc} />
        ) : (
          <ColumnTable columns={columns} doc={doc} rows={rows} />
        )}
      </Section>
      <Tabs
        value={view}
        onChange={(next) => leaveAfterAsking(scope, () => change({ view: next === 'json' ? 'json' : 'form' }))}
        keepMounted={false}
      >
        <Tabs.List aria-label={t('views.label')} mb="md">
          <Tabs.Tab value="form">{t('views.form')}</Tabs.Tab>
          <Tabs.Tab value="json">{t('views.json')}</Tabs.Tab>
        </Tabs.List>
        <div className={classes.beside}>
          <UnsavedScope scope={scope}>
            <div>
              <Tabs.Panel value="form">
                <FieldsForm doc={doc} change={setDoc} columns={columns} faults={faults} prices={form?.prices ?? []} />
                <AvailabilityForm doc={doc} change={setDoc} faults={faults} rows={rows} />
                <GroupForm doc={doc} change={setDoc} columns={columns} faults={faults} />
                <VariantsForm doc={doc} change={setDoc} columns={columns} faults={faults} />
                <RowRules doc={doc} change={setDoc} columns={columns} faults={faults} />
              </Tabs.Panel>
              <Tabs.Panel value="json">
                <JsonEditor doc={doc} change={setDoc} faults={faults} />
              </Tabs.Panel>
            </div>
          </UnsavedScope>
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
      <Section title={t('mode.title')}>
        <NativeSelect
          label={t('mode.label')}
          description={t('mode.hint')}
          value={mode}
          maw={520}
          data={[
            { value: 'full', label: t('mode.full') },
            { value: 'delta', label: t('mode.delta') },
          ]}
          onChange={(event) => change({ mode: event.currentTarget.value === 'delta' ? 'delta' : 'full' })}
        />
      </Section>
      <SaveMapping
        code={code}
        mapping={doc}
        mode={mode}
        source={source}
        sources={sources}
        isValid={problem === null}
        saved={saved}
      />
      <ProblemNote error={check.error} faults={asProblem(check.error).faults} />
      {/* always visible, because the page is long and usually nothing has to be changed: docs/decisions/241-the-panel-is-judged-by-looking.md */}
      <section className={classes.check} aria-label={t('check.title')}>
        {isSending ? (
          <label className={classes.sending}>
            {t('check.sending', { share: Math.round(sent * 100) })}
            <progress max={1} value={sent} />
          </label>
        ) : (
          <span>{t('check.note')}</span>
        )}
        <span className={classes.checkButton}>
          <Button loading={isBusy} disabled={problem !== null} onClick={() => check.mutate()}>
            {t('check.start')}
          </Button>
        </span>
      </section>
    </>
  )
}

/** Guesses in the proposal that the reader should check. */
function Questions({ of }: { of: readonly ReceivedRemark[] }) {
  const { t } = useTranslation('import')
  if (of.length === 0) return null
  return (
    <Section title={t('questions.title')} note={t('questions.note')}>
      <ul className={classes.questions}>
        {of.map((question) => (
          <li key={question.text}>
            <Remark of={question} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

const EXAMPLES = 2
const CELLS = 4

/** Groups the rows of a preview in the same way as a run groups those of the whole file. */
function previewedGroups(
  rows: readonly PreviewedRow[],
  doc: Doc,
): { leftOut: LeftOutGroup[]; withoutCost: WithoutCost | null } {
  const groups = new Map<string, LeftOutGroup>()
  const unpriced: WithoutCost = { columns: columnsIn(fieldsOf(doc)['cost']), count: 0, examples: [] }
  const add = (group: LeftOutGroup | WithoutCost, { line, row }: PreviewedRow) => {
    group.count++
    if (group.examples.length >= EXAMPLES) return
    const cells = columnsOf([row]).flatMap(({ samples }) => samples.slice(0, 1))
    group.examples.push({ line, cells: cells.slice(0, CELLS) })
  }
  for (const previewed of rows) {
    if (previewed.offer !== null && previewed.offer['cost'] === null) add(unpriced, previewed)
    if (!previewed.is_left_out) continue
    const { condition } = previewed
    const kind = previewed.left_out_kind ?? 'part'
    const key = JSON.stringify(condition ?? kind)
    const group = groups.get(key) ?? { kind, condition, count: 0, examples: [] }
    groups.set(key, group)
    add(group, previewed)
  }
  return {
    leftOut: [...groups.values()].toSorted((a, b) => b.count - a.count),
    withoutCost: unpriced.count === 0 ? null : unpriced,
  }
}
