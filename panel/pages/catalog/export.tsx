import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readPage } from '../../api/read-pages.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './catalog.module.css'
import type { ListedProduct } from './columns.tsx'
import { filterQuery, type ProductFilter } from './search.ts'
import type { Selection } from './selection.ts'
import { LISTED_NAMES } from '../../../contract/product-fields.ts'

const PRODUCTS = 'GET /panel/api/accounts/{account_id}/products'
const PAGE_ROWS = 200
/** For more products the store's export is better. */
const ROWS_MAX = 100_000

/** Saves the chosen products as a CSV file. */
export function ExportDialog({
  selection,
  filter,
  close,
}: {
  selection: Selection
  filter: ProductFilter
  close: () => void
}) {
  const { t } = useTranslation('catalog')
  const params = useAccountParams()
  const format = useFormats()
  const [read, setRead] = useState(0)
  const stop = useRef<AbortController | null>(null)
  const leave = () => {
    stop.current?.abort()
    close()
  }
  const run = useMutation({
    mutationFn: async () => {
      const controller = new AbortController()
      stop.current = controller
      setRead(0)
      const rows: ListedProduct[] = selection.isAll ? [] : [...selection.rows]
      for (let after: string | null = null, isFirst = true; selection.isAll && (isFirst || after !== null);) {
        isFirst = false
        const page: Awaited<ReturnType<typeof readPage<typeof PRODUCTS>>> = await readPage(
          PRODUCTS,
          { params, query: { ...filterQuery(filter), sort: 'id', per_page: PAGE_ROWS } },
          after === null ? {} : { after },
          controller.signal,
        )
        rows.push(...page.data.filter(({ id }) => !selection.except.has(id)))
        setRead(rows.length)
        after = rows.length >= ROWS_MAX ? null : page.meta.next_after
      }
      save(toCsv(rows.slice(0, ROWS_MAX)))
      close()
    },
  })
  return (
    <Dialog title={t('bulk.export')} close={leave}>
      <ProblemNote error={run.error} />
      <p className={classes.note}>
        {run.isPending
          ? t('export.reading', { rows: format.number(read) })
          : t('export.note', { max: format.number(ROWS_MAX) })}
      </p>
      <Button loading={run.isPending} onClick={() => run.mutate()} data-autofocus>
        {t('export.save')}
      </Button>
    </Dialog>
  )
}

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'products.csv'
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const COLUMNS = [
  'id',
  'sku',
  'ean',
  'title',
  ...LISTED_NAMES,
  'store',
  'stores',
  'excluded_in',
  'exclusion_reason',
  'price',
  'currency',
  'stock',
  'changed_at',
  'title_locale',
] as const satisfies readonly (keyof ListedProduct)[]

/**
 * Products as CSV (RFC 4180) with a byte order mark, by which spreadsheets recognize UTF-8. An apostrophe is put before a text
 * that a spreadsheet would take for a formula.
 */
function toCsv(rows: readonly ListedProduct[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','))
  return `\u{feff}${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
