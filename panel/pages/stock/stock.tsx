import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useReadPages } from '../../api/read-pages.ts'
import { useSettings } from '../../api/settings.ts'
import { Empty } from '../../components/empty.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Page } from '../../components/page.tsx'
import { Paged } from '../../components/paged.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { Toolbar } from '../../components/toolbar.tsx'
import { SearchIcon } from '../../design/icons.tsx'
import { nameColumn, numberColumn, plainColumn } from '../../resources/columns.tsx'
import { ProductLink } from '../../resources/product-link.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { StockEditor } from './stock-editor.tsx'

type Stock = Answer<'GET /panel/api/accounts/{account_id}/own-stock'>['data'][number]

const TYPING_MS = 250

/** What the merchant has in its own warehouse. */
export function StockPage() {
  const { t } = useTranslation('resources')
  const words = useResourceWords('stock')
  const account = useAccount()
  const format = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ from: '/signed/$account/stock' })
  const [text, setText] = useState(search.search ?? '')
  const currency = useSettings(account.id).data?.data.currency ?? ''
  const stock = useReadPages('GET /panel/api/accounts/{account_id}/own-stock', {
    params: useAccountParams(),
    query: { search: search.search ?? '' },
  })
  const find = useDebouncedCallback((wanted: string) => {
    void navigate({ to: '.', search: { search: wanted === '' ? undefined : wanted }, replace: true })
  }, TYPING_MS)
  const open = (id: number | undefined) =>
    void navigate({ to: '.', search: { ...search, open: id }, replace: id === undefined, resetScroll: false })
  const titleOf = (row: Stock) => row.title ?? t('product', { id: row.product_id })
  const columns: Column<Stock>[] = [
    nameColumn('title', words.of('product'), titleOf),
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
        <TextInput
          type="search"
          w={340}
          maw="100%"
          aria-label={words.of('search')}
          placeholder={words.of('search')}
          leftSection={<SearchIcon size={16} />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            find(event.currentTarget.value.trim())
          }}
        />
        {stock.total === undefined ? null : (
          <span>{words.of('total', { count: stock.total, shown: format.number(stock.total) })}</span>
        )}
      </Toolbar>
      <Paged query={stock} more={t('more')}>
        {(rows) => (
          <List
            label={words.of('title')}
            columns={columns}
            rows={rows}
            keyOf={(row) => row.product_id}
            open={(row) => open(row.product_id)}
            phoneLine={(row) => row.sku ?? ''}
            empty={
              <Empty>{search.search === undefined ? words.of('none') : t('noMatch', { text: search.search })}</Empty>
            }
          />
        )}
      </Paged>
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
