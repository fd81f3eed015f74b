import { ActionIcon, Button } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useProductNames } from '../../api/product-names.ts'
import { useRead, useRefreshAccount } from '../../api/read.ts'
import { useReadPages } from '../../api/read-pages.ts'
import { deleteResource, useResource } from '../../api/resources.ts'
import { Confirm, SidePanel } from '../../components/dialog.tsx'
import type { Column } from '../../components/list.tsx'
import { Empty, Waiting } from '../../components/loaded.tsx'
import { showMessage } from '../../components/messages.tsx'
import { Page, Toolbar } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { CloseIcon } from '../../design/icons.tsx'
import { plainColumn } from '../../resources/columns.tsx'
import { EditResource } from '../../resources/editor.tsx'
import { FoundName, ProductLink, useProductWords } from '../../resources/product-name.tsx'
import { RowSearch } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { ListMark } from './list-mark.tsx'
import { useListWords, type PriceList } from './list-words.ts'
import { NewEntry } from './new-entry.tsx'
import { PriceCell } from './price-cell.tsx'
import { PriceFile } from './price-file.tsx'
import classes from './price-lists.module.css'
import type { PriceListWindow } from './search.ts'
import { usePriceListSpec } from './spec.ts'
import { useWriteEntry } from './write-entry.tsx'

const FROM = '/signed/$account/price-lists/$list'
const ENTRIES = 'GET /v1/account/price-lists/{key}/entries'
type Entry = Answer<typeof ENTRIES>['data'][number]

/** The most entries of one request. */
const PAGE = 100
const TYPING_MS = 250

/** One price list: its settings and its prices. */
export function PriceListPage() {
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const navigate = useNavigate()
  const { list: key } = useParams({ from: FROM })
  const { open, search } = useSearch({ from: FROM })
  const read = useResource(account.id, 'price-lists', key)
  const said = useListWords()
  const list = read.data?.data
  const above = { to: `/${account.id}/price-lists`, label: words.of('title') }
  const show = (next: PriceListWindow | undefined) =>
    void navigate({ to: '.', search: { open: next, search }, replace: next === undefined, resetScroll: false })
  const close = () => show(undefined)
  if (list === undefined)
    return (
      <Page title={key} above={above}>
        {read.isError ? <ProblemNote error={read.error} retry={() => void read.refetch()} /> : <Waiting lines={6} />}
      </Page>
    )
  return (
    <Page
      title={list.name}
      above={above}
      lead={
        <>
          {[
            ...(list.store_ids === null ? [] : [list.currency]),
            said.stores(list),
            said.group(list),
            said.days(list),
            words.of('withPriority', { priority: list.priority }),
          ].join(' · ')}{' '}
          <span className={classes.together}>
            · <ListMark list={list} />
          </span>
        </>
      }
      actions={
        <>
          <Button variant="default" onClick={() => show('settings')}>
            {words.of('settings')}
          </Button>
          <Button variant="default" onClick={() => show('file')}>
            {words.of('file.title')}
          </Button>
          <Button onClick={() => show('entry')}>{words.of('entry.new')}</Button>
        </>
      }
    >
      <Entries
        key={key}
        list={list}
        search={search ?? ''}
        find={(wanted) =>
          void navigate({
            to: '.',
            search: { open, search: wanted === '' ? undefined : wanted },
            replace: true,
            resetScroll: false,
          })
        }
      />
      {open === 'settings' ? <Settings list={list} close={close} /> : null}
      {open === 'entry' ? <NewEntry list={list} close={close} /> : null}
      {open === 'file' ? <PriceFile list={list} close={close} /> : null}
    </Page>
  )
}

/** The entries of the list page by page: all of them, or those of the products that a search finds. */
function useEntries(list: PriceList, search: string) {
  const account = useAccount()
  const isSearch = search.trim() !== ''
  const all = useReadPages(ENTRIES, {
    accountId: account.id,
    params: { key: list.key },
    query: { per_page: PAGE },
  })
  const found = useRead(
    'GET /panel/api/accounts/{account_id}/price-lists/{key}/found-prices',
    { params: { account_id: account.id, key: list.key }, query: { search } },
    { isEnabled: isSearch },
  )
  return {
    total: all.total,
    isCapped: isSearch && found.data?.meta.is_capped === true,
    ...(isSearch ? { query: found, rows: found.data?.data } : { query: all.query, rows: all.rows }),
  }
}

/** The prices of the list, each edited in place. */
function Entries({ list, search, find: look }: { list: PriceList; search: string; find: (text: string) => void }) {
  const { t } = useTranslation('resources')
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const said = useListWords()
  const format = useFormats()
  const entries = useEntries(list, search)
  const isFound = search.trim() !== ''
  const { write, question } = useWriteEntry(list)
  const [fault, setFault] = useState<unknown>(null)
  const [removed, setRemoved] = useState<Entry | null>(null)
  const find = useProductNames(
    account.id,
    (entries.rows ?? []).map((entry) => entry.product_id),
  )
  const nameOf = useProductWords()
  const titleOf = ({ product_id: id, sku }: Entry) => {
    const found = find(id)
    return found === undefined ? (sku ?? `#${id}`) : nameOf(found, id)
  }
  const groupOf = ({ group_id: id }: Entry) => (id === null ? said.group(list) : said.groupName(id))
  const placeOf = ({ product_id, group_id }: Entry) => ({ product_id, group_id })
  const keyOf = ({ product_id: id, group_id: group }: Entry) => `${id}.${group ?? 0}`
  const columns: Column<Entry>[] = [
    {
      id: 'product',
      title: words.of('product'),
      sortBy: (entry) => titleOf(entry).toLowerCase(),
      cell: (entry) => (
        <ProductLink id={entry.product_id}>
          <FoundName id={entry.product_id} found={find(entry.product_id)} />
        </ProductLink>
      ),
    },
    plainColumn('sku', words.of('sku'), '20%', (entry) => entry.sku ?? ''),
    plainColumn('group', words.label('group_id'), '20%', groupOf),
    {
      id: 'price',
      title: words.of('price', { currency: list.currency }),
      width: '16%',
      isNumber: true,
      sortBy: (entry) => Number(entry.price),
      cell: (entry) => (
        <PriceCell
          label={words.of('priceOf', { name: titleOf(entry), group: groupOf(entry) })}
          value={entry.price}
          currency={list.currency}
          write={(price) => write({ ...placeOf(entry), price, expected: entry.price })}
          fail={setFault}
        />
      ),
    },
    {
      id: 'remove',
      title: '',
      width: '64px',
      isNumber: true,
      cell: (entry) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.of('entry.remove', { name: titleOf(entry), group: groupOf(entry) })}
          onClick={() => setRemoved(entry)}
        >
          <CloseIcon size={14} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <>
      <ProblemNote error={fault} />
      {entries.total === undefined || (entries.total === 0 && !isFound) ? null : (
        <Toolbar>
          <RowSearch q={search} filter={look} label={words.of('search')} settledMs={TYPING_MS} />
          <span role="status">
            {isFound && entries.rows !== undefined
              ? words.of('found', { shown: format.number(entries.rows.length), total: format.number(entries.total) })
              : words.of('count', { count: entries.total })}
          </span>
        </Toolbar>
      )}
      {entries.isCapped ? <p className={classes.capped}>{words.of('capped')}</p> : null}
      <ReadList
        query={entries.query}
        label={words.of('entries')}
        columns={columns}
        rows={entries.rows}
        keyOf={keyOf}
        phoneLine={(entry) => [entry.sku, groupOf(entry)].filter((part) => part !== null).join(' · ')}
        empty={<Empty>{isFound ? t('noMatch', { text: search }) : words.of('noEntries')}</Empty>}
        {...(entries.total === undefined || isFound ? {} : { total: entries.total })}
        more={t('more')}
      />
      {removed === null ? null : (
        <Confirm
          title={words.of('entry.removeTitle', { name: titleOf(removed) })}
          action={words.of('entry.delete')}
          run={() => {
            // uses the price that the list shows now, which differs from the one above after a conflict
            const { price } = entries.rows?.find((entry) => keyOf(entry) === keyOf(removed)) ?? removed
            return write({ ...placeOf(removed), price: null, expected: price })
          }}
          close={() => setRemoved(null)}
        >
          <p>{words.of('entry.deletes')}</p>
        </Confirm>
      )}
      {question}
    </>
  )
}

/** The settings of the list, and its deletion. */
function Settings({ list, close }: { list: PriceList; close: () => void }) {
  const { t } = useTranslation('resources')
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const { spec, isReady } = usePriceListSpec(list.currency)
  const [isRemoving, setRemoving] = useState(false)
  return (
    <SidePanel title={`${words.of('one')}: ${list.name}`} close={close}>
      {isReady ? (
        <EditResource spec={spec} itemKey={list.key} remove={() => setRemoving(true)} saved={close} />
      ) : (
        <Waiting />
      )}
      {isRemoving ? (
        <Confirm
          title={t('deleteTitle', { name: list.name })}
          action={words.of('delete')}
          typed={list.name}
          run={async () => {
            await deleteResource(account.id, 'price-lists', list.key)
            showMessage(t('deleted', { name: list.name }))
            // without asking, because the list no longer exists
            await navigate({ to: `/${account.id}/price-lists`, ignoreBlocker: true })
            void refresh()
          }}
          close={() => setRemoving(false)}
        >
          <p>{words.of('deletes')}</p>
        </Confirm>
      ) : null}
    </SidePanel>
  )
}
