import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { RUN_STATES, useRuns, type Run, type RunState as State } from '../../api/runs.ts'
import { useSources } from '../../api/sources.ts'
import { Empty } from '../../components/loaded.tsx'
import { Filters } from '../../components/filters.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Toolbar } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { numberColumn } from '../../resources/columns.tsx'
import { RunState, useRunOrigin } from '../../runs/run-words.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { type SupplierSearch, supplierTabs } from './search.ts'

/** The import runs of a supplier. */
export function RunsTab({ code }: { code: string }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  const navigate = useNavigate()
  const format = useFormats()
  const originOf = useRunOrigin()
  const search = useSearch({ from: '/signed/$account/suppliers/$supplier' })
  const change = (changes: SupplierSearch) =>
    void navigate({
      to: '.',
      search: { tab: supplierTabs.runs, state: search.state, source: search.source, ...changes },
      replace: true,
      resetScroll: false,
    })
  const sources = useSources({ accountId: account.id, code })
  const runs = useRuns(account.id, { supplier: code, state: search.state, source: search.source })
  const counted = (id: string, title: string, of: (run: Run) => number): Column<Run> => ({
    ...numberColumn<Run>(id, title, '8%', of, (run) => (of(run) === 0 ? '–' : format.number(of(run)))),
    isShownFor: (rows) => rows.some((run) => of(run) > 0),
  })
  const columns: Column<Run>[] = [
    { id: 'state', title: t('state'), cell: (run) => <RunState run={run} /> },
    {
      id: 'origin',
      title: t('origin'),
      width: '16%',
      isWide: true,
      isShownFor: (rows) => new Set(rows.map(originOf)).size > 1,
      cell: (run) => <span dir="auto">{originOf(run)}</span>,
    },
    counted('created', t('counts.created'), (run) => run.created),
    counted('changed', t('counts.changed'), (run) => run.changed),
    counted('zeroed', t('counts.zeroed'), (run) => run.zeroed),
    counted('refused', t('counts.refused'), (run) => run.refused),
    { id: 'at', title: t('at'), width: '13%', isWide: true, cell: (run) => <RelativeTime at={run.created_at} /> },
  ]
  const isFiltered = search.state !== undefined || search.source !== undefined
  return (
    <>
      <Toolbar>
        <Filters
          filters={[
            {
              name: 'state',
              label: t('state'),
              value: search.state,
              options: RUN_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
            },
            {
              name: 'source',
              label: t('source'),
              value: search.source,
              options: (sources.data ?? []).map(({ name }) => ({ value: name, label: name })),
            },
          ]}
          change={(name, value) => change(name === 'state' ? { state: value as State | undefined } : { source: value })}
          clear={() => change({ state: undefined, source: undefined })}
        />
      </Toolbar>
      <ReadList
        query={runs.query}
        label={t('title')}
        columns={columns}
        rows={runs.rows}
        keyOf={(run) => run.id}
        open={(run) => void navigate({ to: `/${account.id}/suppliers/${code}/runs/${run.id}` })}
        phoneLine={(run) => (
          <>
            <span dir="auto">{originOf(run)}</span> · <RelativeTime at={run.created_at} />
          </>
        )}
        empty={
          isFiltered ? (
            <Empty>{t('noneMatch')}</Empty>
          ) : (
            <Empty
              action={
                <LinkButton to={`/${account.id}/suppliers/${code}/import`} variant="filled">
                  {t('importFile')}
                </LinkButton>
              }
            >
              {t('none')}
            </Empty>
          )
        }
      />
    </>
  )
}
