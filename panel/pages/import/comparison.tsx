import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProductNames } from '../../api/product-names.ts'
import { readPage, usePages } from '../../api/read-pages.ts'
import type { RunDetails } from '../../api/runs.ts'
import { Empty } from '../../components/loaded.tsx'
import { Facts } from '../../components/facts.tsx'
import { Filters } from '../../components/filters.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { Toolbar } from '../../components/page.tsx'
import { KeyAndName } from '../../resources/product-line.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { CHANGE_FIELDS, CHANGE_KINDS, changeField, changeKind } from './change-filters.ts'
import { linesOf, type Change, type Line } from './cells.ts'
import classes from './import.module.css'
import { useFieldName } from './words.ts'

const NAME = 'GET /v1/account/imports/{id}/changes'
/** The first page is short, because it is the one that people read. */
const FIRST_PAGE = 30
const PAGE = 100
const LISTED_MAX = 10_000

interface ChangePage {
  data: Change[]
  meta: { next_after: string | null }
}

/** What the import would change: a line per new offer, and cell by cell the old and new values of others. */
export function Comparison({ runId, run }: { runId: number; run: RunDetails }) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const format = useFormats()
  const nameOf = useFieldName()
  const navigate = useNavigate({ from: '/$account/suppliers/$supplier/import' })
  const { sku, ...named } = useSearch({ from: '/signed/$account/suppliers/$supplier/import' })
  const [kind, field] = [changeKind(named.kind), changeField(named.field)]
  const [opened, setOpened] = useState<Line | null>(null)
  const { pages, query } = usePages<ChangePage, string>({
    key: [NAME, account.id, runId, kind ?? null, field ?? null, sku ?? null],
    read: (next, signal) =>
      readPage(
        NAME,
        {
          accountId: account.id,
          params: { id: runId },
          query: { per_page: next.after === undefined ? FIRST_PAGE : PAGE, kind, field, sku },
        },
        next,
        signal,
      ) as Promise<unknown> as Promise<ChangePage>,
    isKept: true,
  })
  const rows = pages?.flatMap((page) => page.data.flatMap((change) => linesOf(change, format.money, field)))
  const changes = pages?.flatMap((page) => page.data) ?? []
  const productOf = new Map(changes.map((change) => [change.sku, change.product_id ?? null]))
  const find = useProductNames(
    account.id,
    [...productOf.values()].filter((id) => id !== null),
  )
  const keyAndName = (sku: string) => {
    const id = productOf.get(sku) ?? null
    return <KeyAndName sku={sku} id={id} found={id === null ? undefined : find(id)} />
  }
  const summary = ({ title, cost, quantity }: Extract<Line, { cells: unknown }>) =>
    [title, cost ?? t('compare.noCost'), t('compare.pieces', { count: quantity })]
      .filter((part) => part !== '')
      .join(' · ')
  const columns: Column<Line>[] = [
    { id: 'sku', title: t('compare.sku'), width: '22%', cell: (line) => keyAndName(line.sku) },
    {
      id: 'kind',
      title: t('compare.kind'),
      width: '9%',
      isWide: true,
      cell: (line) => t(`kindsOfChange.${line.kind}`),
    },
    {
      id: 'field',
      title: t('compare.field'),
      width: '13%',
      isWide: true,
      cell: (line) => ('cells' in line ? t('compare.values', { count: line.cells.length }) : nameOf(line.field)),
    },
    {
      id: 'before',
      title: t('compare.before'),
      width: '18%',
      isWide: true,
      cell: (line) => <span dir="auto">{'cells' in line ? '–' : line.before}</span>,
    },
    {
      id: 'after',
      title: t('compare.after'),
      isWide: true,
      cell: (line) => <span dir="auto">{'cells' in line ? summary(line) : line.after}</span>,
    },
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
      <ReadList
        query={query}
        label={t('compare.title')}
        columns={columns}
        rows={rows}
        keyOf={(line) => `${line.sku} ${'cells' in line ? '' : line.field}`}
        open={setOpened}
        isTwoLined
        phoneLine={(line) => (
          <span dir="auto">
            {'cells' in line ? summary(line) : `${nameOf(line.field)}: ${line.before} → ${line.after}`}
          </span>
        )}
        empty={<Empty>{(kind ?? field ?? sku) ? t('compare.noneFound') : t('compare.none')}</Empty>}
        more={t('compare.more')}
      />
      {opened === null ? null : (
        <SidePanel title={opened.sku} close={() => setOpened(null)}>
          <Facts
            facts={[
              [t('compare.kind'), t(`kindsOfChange.${opened.kind}`)],
              ...('cells' in opened
                ? opened.cells.map(({ field: name, after }): [string, ReactNode] => [
                    nameOf(name),
                    <span dir="auto">{after}</span>,
                  ])
                : ([
                    [t('compare.field'), nameOf(opened.field)],
                    [t('compare.before'), <span dir="auto">{opened.before}</span>],
                    [t('compare.after'), <span dir="auto">{opened.after}</span>],
                  ] as [string, ReactNode][])),
            ]}
          />
        </SidePanel>
      )}
    </>
  )
}
