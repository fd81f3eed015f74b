import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useReadPages } from '../../api/read-pages.ts'
import { useOwnCurrency } from '../../api/settings.ts'
import { Empty } from '../../components/loaded.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Page, Toolbar } from '../../components/page.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { numberColumn, plainColumn } from '../../resources/columns.tsx'
import { productColumn } from '../../resources/product-line.tsx'
import { ProductLink, useProductWords } from '../../resources/product-name.tsx'
import { RowSearch } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { StockEditor } from './stock-editor.tsx'

type Stock = Answer<'GET /panel/api/accounts/{account_id}/own-stock'>['data'][number]

const TYPING_MS = 250

/** Own stock: what the merchant has in its own warehouse. */
export function StockPage() {
  const { t } = useTranslation('resources')
  const words = useResourceWords('stock')
  const account = useAccount()
  const format = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ from: '/signed/$account/stock' })
  const currency = useOwnCurrency(account.id)
  const stock = useReadPages('GET /panel/api/accounts/{account_id}/own-stock', {
    params: useAccountParams(),
    query: { search: search.search ?? '' },
  })
  const find = (wanted: string) =>
    void navigate({ to: '.', search: { search: wanted === '' ? undefined : wanted }, replace: true })
  const open = (id: number | undefined) =>
    void navigate({ to: '.', search: { ...search, open: id }, replace: id === undefined, resetScroll: false })
  const nameOf = useProductWords()
  const titleOf = (row: Stock) => nameOf(row, row.product_id)
  const columns: Column<Stock>[] = [
    productColumn(words.of('product'), titleOf),
    plainColumn('sku', words.of('sku'), '20%', (row) => row.sku ?? ''),
    {
      ...numberColumn<Stock>('quantity', words.label('quantity'), '14%', (row) => row.quantity ?? -1, shownQuantity),
      isWide: false,
    },
    numberColumn(
      'cost',
      words.label('cost'),
      '16%',
      (row) => Number(row.cost ?? -1),
      (row) => (row.cost === null ? '–' : format.money(row.cost, currency)),
    ),
  ]
  function shownQuantity(row: Stock): string {
    return row.quantity === null ? '–' : format.number(row.quantity)
  }
  const opened = stock.rows?.find((row) => row.product_id === search.open)
  return (
    <Page title={words.of('title')} lead={words.of('lead')}>
      <Toolbar>
        <RowSearch q={search.search ?? ''} filter={find} label={words.of('search')} settledMs={TYPING_MS} />
        {stock.total === undefined ? null : (
          <span>{words.of('total', { count: stock.total, shown: format.number(stock.total) })}</span>
        )}
      </Toolbar>
      <ReadList
        query={stock.query}
        label={words.of('title')}
        columns={columns}
        rows={stock.rows}
        keyOf={(row) => row.product_id}
        open={(row) => open(row.product_id)}
        phoneLine={(row) => row.sku ?? ''}
        empty={<Empty>{search.search === undefined ? words.of('none') : t('noMatch', { text: search.search })}</Empty>}
        more={t('more')}
      />
      {search.open === undefined ? null : (
        <SidePanel
          title={opened === undefined ? t('product', { id: search.open }) : titleOf(opened)}
          close={() => open(undefined)}
        >
          <StockEditor key={search.open} productId={search.open} close={() => open(undefined)} />
          <p style={{ marginTop: 24 }}>
            <ProductLink id={search.open}>{words.of('toProduct')}</ProductLink>
          </p>
        </SidePanel>
      )}
    </Page>
  )
}
