import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readPage } from '../../api/read-pages.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './catalog.module.css'
import type { ListedProduct } from './columns.tsx'
import { toCsv } from './csv.ts'
import { filterQuery, type ProductFilter } from './search.ts'
import type { Selection } from './selection.ts'

const PRODUCTS = 'GET /panel/api/accounts/{account_id}/products'
const PAGE_ROWS = 200
/** For more products there is the store's export. */
const ROWS_MAX = 100_000

/** Saves the chosen products as a file, as the list shows them. */
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
  const [read, setRead] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const stop = useRef<AbortController | null>(null)
  const leave = () => {
    stop.current?.abort()
    close()
  }
  const run = async () => {
    const controller = new AbortController()
    stop.current = controller
    setError(null)
    setRead(0)
    try {
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
    } catch (caught) {
      if (!controller.signal.aborted) setError(caught)
      setRead(null)
    }
  }
  return (
    <Dialog title={t('bulk.export')} close={leave}>
      {error === null ? null : <ProblemNote error={error} />}
      <p className={classes.note}>
        {read === null
          ? t('export.note', { max: format.number(ROWS_MAX) })
          : t('export.reading', { rows: format.number(read) })}
      </p>
      <Button loading={read !== null} onClick={() => void run()} data-autofocus>
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
