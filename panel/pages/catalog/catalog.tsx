import { TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Empty } from '../../components/empty.tsx'
import { Kbd } from '../../components/kbd.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Sheet, Toolbar } from '../../components/toolbar.tsx'
import { SearchIcon } from '../../design/icons.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './catalog.module.css'

type Found = Answer<'GET /panel/api/accounts/{account_id}/products'>['data'][number]

const TYPING_MS = 200

/** Finds a product by what one knows of it: a title, an SKU, an EAN or its ID. */
export function CatalogPage() {
  const { t } = useTranslation('catalog')
  const account = useAccount()
  const params = useAccountParams()
  const { search } = useSearch({ from: '/signed/$account/catalog' })
  const navigate = useNavigate()
  const format = useFormats()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(search ?? '')
  const [settled] = useDebouncedValue(text.trim(), TYPING_MS)
  useHotkeys([['/', () => field.current?.focus()]])
  // the address follows what was typed, and what was typed the address, when one comes back or from the palette
  const written = useRef(search ?? '')
  useEffect(() => {
    if (settled === written.current) return
    written.current = settled
    void navigate({ to: '.', search: { search: settled === '' ? undefined : settled }, replace: true })
  }, [settled, navigate])
  useEffect(() => {
    if ((search ?? '') === written.current) return
    written.current = search ?? ''
    setText(search ?? '')
  }, [search])
  const found = useRead(
    'GET /panel/api/accounts/{account_id}/products',
    { params, query: { search: search ?? '' } },
    { isEnabled: search !== undefined },
  )
  const columns: Column<Found>[] = [
    {
      id: 'title',
      title: t('columns.title'),
      cell: (product) =>
        product.title === null ? (
          <span className={classes.quiet}>{t('noTitle')}</span>
        ) : (
          <span dir="auto">{product.title}</span>
        ),
    },
    { id: 'sku', title: t('columns.sku'), width: '18%', isWide: true, cell: (product) => product.sku ?? '–' },
    { id: 'ean', title: t('columns.ean'), width: '16%', isWide: true, cell: (product) => product.ean ?? '–' },
    {
      id: 'stores',
      title: t('columns.stores'),
      width: '9%',
      isNumber: true,
      isWide: true,
      cell: (product) => format.number(product.stores),
    },
    { id: 'id', title: t('columns.id'), width: '11%', isNumber: true, cell: (product) => product.id },
  ]
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Toolbar>
        <TextInput
          ref={field}
          className={classes.search}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          // the key that leads here does nothing more when one is here
          onKeyDown={(event) => {
            if (event.key === '/' && text === '') event.preventDefault()
          }}
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<SearchIcon size={16} />}
          rightSection={<Kbd>/</Kbd>}
          type="search"
          autoFocus
        />
      </Toolbar>
      {search === undefined ? (
        <Sheet>
          <Empty>{t('begin')}</Empty>
        </Sheet>
      ) : (
        <Loaded query={found} lines={8}>
          {({ data, meta }) => (
            <>
              <Sheet>
                <List
                  label={t('title')}
                  columns={columns}
                  rows={data}
                  keyOf={(product) => product.id}
                  open={(product) => void navigate({ to: `/${account.id}/catalog/${product.id}` })}
                  phoneLine={(product) => product.sku ?? product.ean ?? ''}
                  empty={<Empty>{t('none', { text: search })}</Empty>}
                />
              </Sheet>
              {meta.is_capped ? <p className={classes.more}>{t('capped', { count: data.length })}</p> : null}
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}
