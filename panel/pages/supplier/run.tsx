import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isOpen, type Run, type RunDetails, useRun } from '../../api/runs.ts'
import { useResource } from '../../api/resources.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { remarksOf } from '../../words/remarks.ts'
import { RunAbout } from './run-about.tsx'
import { RunChanges } from './run-changes.tsx'
import { RefusalTable, RunRefusals } from './run-refusals.tsx'
import { RunSummary } from './run-summary.tsx'
import classes from './supplier.module.css'
import { supplierTabs } from './search.ts'
import { Remark } from '../../runs/remark.tsx'
import { RowGroups } from '../../runs/row-groups.tsx'
import '../../runs/words.ts'
import { addWords } from '../../words/add-words.ts'
import sourcesWords from '../../words/en/sources.json'
import '../../words/resources.ts'

addWords({ sources: sourcesWords })

/** Final states of runs that may have written. */
const WRITTEN: readonly RunDetails['state'][] = ['succeeded', 'failed', 'canceled']

/** Reads data that depends on a run's state again when the state changes. */
function useFresh(run: RunDetails | undefined): void {
  const client = useQueryClient()
  const state = run === undefined ? null : `${run.state} ${run.ended_at}`
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== null && before.current !== state)
      void client.invalidateQueries({
        predicate: ({ queryKey: [name] }) => typeof name === 'string' && name.includes('/runs/{run_id}/'),
      })
    before.current = state
  }, [client, state])
}

/** One import: its progress, its result, refusals and changes, and the actions. */
export function RunPage() {
  const { t } = useTranslation('runs')
  const account = useAccount()
  const format = useFormats()
  const { supplier: code, run: id } = useParams({ from: '/signed/$account/suppliers/$supplier/runs/$run' })
  const supplier = useResource(account.id, 'suppliers', code)
  const query = useRun(account.id, Number(id))
  const run = query.data?.data
  const name = supplier.data?.data.name ?? code
  useFresh(run)
  return (
    <Page
      title={run === undefined ? t('title') : t('one', { at: format.exact(new Date(run.created_at)) })}
      lead={
        run === undefined ? undefined : (
          <span dir="auto">{run.file?.name ?? (run.undoes === null ? (run.source ?? '') : t('undoes'))}</span>
        )
      }
      above={{
        to: `/${account.id}/suppliers/${code}`,
        search: { tab: supplierTabs.runs },
        label: t('of', { name }),
      }}
    >
      <Loaded query={query} lines={10}>
        {({ data }) => (
          <>
            <RunSummary run={data} code={code} />
            {countsOf(data).length === 0 ? null : (
              <Section
                title={t('counts.title')}
                note={isOpen(data) ? t('counts.soFar') : data.dry_run ? t('counts.dry') : undefined}
              >
                <RunCounts run={data} />
              </Section>
            )}
            {remarksOf(data).length === 0 ? null : (
              <Section title={t('warnings')}>
                <ul className={classes.excesses}>
                  {remarksOf(data).map((remark) => (
                    <li key={remark.text}>
                      <Remark of={remark} />
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            {data.refusals.length === 0 && data.stale === 0 ? null : (
              <Section
                title={t(data.stale === 0 ? 'refusals.title' : 'refusals.titleStale', {
                  count: data.refused,
                  shown: format.number(data.refused),
                })}
                note={t('refusals.note')}
              >
                <RunRefusals run={data} />
              </Section>
            )}
            {data.dropped.length === 0 ? null : (
              <Section title={t('dropped.title')} note={t('dropped.note')}>
                <RefusalTable groups={data.dropped} />
              </Section>
            )}
            <RowGroups leftOut={data.left_out} withoutCost={data.without_cost} />
            {WRITTEN.includes(data.state) && !data.dry_run ? <RunChanges run={data} code={code} /> : null}
            <Section title={t('about.title')}>
              <RunAbout run={data} code={code} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

const SHOWN = ['rows', 'created', 'changed', 'unchanged', 'zeroed', 'refused', 'stale', 'skipped', 'products'] as const
/** Counts of a run that undoes another one. */
const UNDO_SHOWN = ['changed', 'zeroed', 'refused', 'products'] as const
/** Counts of a file of which nothing was written. */
const READ_SHOWN = ['rows', 'refused', 'skipped'] as const
/** Counts that are hidden if they are 0. */
const SELDOM: readonly string[] = ['stale', 'skipped']
const NOTHING_WRITTEN: readonly Run['state'][] = ['unchanged', 'held', 'refused']

type Counted = (typeof SHOWN)[number]

/** The relevant counts of a run; none if it has not read anything. */
function countsOf(run: Run): readonly Counted[] {
  if (run.trigger === 'undo') return UNDO_SHOWN
  if (!isOpen(run) && run.rows === 0) return []
  const all = NOTHING_WRITTEN.includes(run.state) ? READ_SHOWN : SHOWN
  return all.filter((name) => !SELDOM.includes(name) || run[name] > 0)
}

/** The counts of a run, updated while it is running. */
function RunCounts({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const isUndo = run.trigger === 'undo'
  return (
    <dl className={classes.counts}>
      {countsOf(run).map((name) => (
        <div key={name}>
          <dt title={isUndo ? undefined : t(`counts.means.${name}`)}>
            {isUndo ? t(`counts.undo.${name}` as 'counts.undo.changed') : t(`counts.${name}`)}
          </dt>
          <dd>{format.number(run[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
