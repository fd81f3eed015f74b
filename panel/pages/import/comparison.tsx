import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReadPages } from '../../api/read-pages.ts'
import type { RunDetails } from '../../api/runs.ts'
import { Empty } from '../../components/empty.tsx'
import { Facts } from '../../components/facts.tsx'
import { Filters } from '../../components/filters.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Paged } from '../../components/paged.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { Toolbar } from '../../components/toolbar.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { CHANGE_FIELDS, CHANGE_KINDS } from './change-filters.ts'
import { cellsOf, type Cell, type Change } from './cells.ts'
import classes from './import.module.css'
import { useFieldName } from './words.ts'

const NAME = 'GET /v1/account/imports/{id}/changes'
const PAGE = 100
const LISTED_MAX = 10_000

/** What the import would change, cell by cell: what is there now, and what the file has. */
export function Comparison({ runId, run }: { runId: number; run: RunDetails }) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const format = useFormats()
  const nameOf = useFieldName()
  const navigate = useNavigate({ from: '/$account/suppliers/$supplier/import' })
  const { kind, field, sku } = useSearch({ from: '/signed/$account/suppliers/$supplier/import' })
  const [opened, setOpened] = useState<Cell | null>(null)
  const read = useReadPages(NAME, {
    accountId: account.id,
    params: { id: runId },
    query: { per_page: PAGE, kind, field, sku },
  })
  const rows = (read.rows as readonly Change[] | undefined)?.flatMap((change) => cellsOf(change, field))
  const columns: Column<Cell>[] = [
    { id: 'sku', title: t('compare.sku'), width: '18%', cell: (cell) => <span dir="auto">{cell.sku}</span> },
    { id: 'kind', title: t('compare.kind'), width: '14%', cell: (cell) => t(`kindsOfChange.${cell.kind}`) },
    { id: 'field', title: t('compare.field'), width: '16%', cell: (cell) => nameOf(cell.field) },
    { id: 'before', title: t('compare.before'), cell: (cell) => <span dir="auto">{cell.before}</span> },
    { id: 'after', title: t('compare.after'), cell: (cell) => <span dir="auto">{cell.after}</span> },
  ]
  const isCut = Math.max(run.created, run.changed, run.zeroed) > LISTED_MAX
  return (
    <>
      <h2>{t('compare.title')}</h2>
      <p className={classes.compared}>
        {t('compare.note')}
        {isCut ? ` ${t('compare.cut', { count: LISTED_MAX })}` : ''}
      </p>
      <Toolbar>
        <Filters
          filters={[
            {
              name: 'kind',
              label: t('compare.kind'),
              value: kind,
              options: CHANGE_KINDS.map((value) => ({
                value,
                label: `${t(`kindsOfChange.${value}`)} (${format.number(run[value])})`,
              })),
            },
            {
              name: 'field',
              label: t('compare.field'),
              value: field,
              options: CHANGE_FIELDS.map((value) => ({ value, label: nameOf(value) })),
            },
            { name: 'sku', label: t('compare.beginning'), value: sku, options: [], isText: true },
          ]}
          change={(name, value) => void navigate({ search: (before) => ({ ...before, [name]: value }), replace: true })}
          clear={() =>
            void navigate({
              search: (before) => ({ ...before, kind: undefined, field: undefined, sku: undefined }),
              replace: true,
            })
          }
        />
      </Toolbar>
      <Paged query={{ rows, query: read.query }} more={t('compare.more')}>
        {(cells) => (
          <List
            label={t('compare.title')}
            columns={columns}
            rows={cells}
            keyOf={(cell) => `${cell.sku} ${cell.field}`}
            open={setOpened}
            empty={<Empty>{(kind ?? field ?? sku) ? t('compare.noneFound') : t('compare.none')}</Empty>}
          />
        )}
      </Paged>
      {opened === null ? null : (
        <SidePanel title={opened.sku} close={() => setOpened(null)}>
          <Facts
            facts={[
              [t('compare.kind'), t(`kindsOfChange.${opened.kind}`)],
              [t('compare.field'), nameOf(opened.field)],
              [t('compare.before'), <span dir="auto">{opened.before}</span>],
              [t('compare.after'), <span dir="auto">{opened.after}</span>],
            ]}
          />
        </SidePanel>
      )}
    </>
  )
}
