import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReadPages } from '../../api/read-pages.ts'
import { useRead } from '../../api/read.ts'
import { Empty, Waiting } from '../../components/loaded.tsx'
import { Kbd } from '../../components/kbd.tsx'
import { List, type ListOrder } from '../../components/list.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { Page, Sheet, Toolbar } from '../../components/page.tsx'
import { useIsPhone } from '../../components/phone.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { SearchIcon } from '../../design/icons.tsx'
import { useProductWords } from '../../resources/product-name.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { BulkBar } from './bulk-bar.tsx'
import classes from './catalog.module.css'
import { chosenColumns, type ListedProduct, PhoneLine, useColumns } from './columns.tsx'
import { useLines, type ShownLine } from './lines.tsx'
import { Operations } from './operations.tsx'
import { ProductFilters } from './product-filters.tsx'
import { type CatalogSearch, filterOf, filterQuery, NO_FILTERS } from './search.ts'
import { useSelection } from './selection.ts'
import { Suggestions } from './suggestions.tsx'
import { ViewMenus } from './views.tsx'
import { addWords } from '../../words/add-words.ts'
import catalogWords from '../../words/en/catalog.json'

addWords({ catalog: catalogWords })

const TYPING_MS = 120
const PAGE_ROWS = 100
const NO_ROWS: readonly ListedProduct[] = []

/** The list of products: search, filters, and actions on many products. */
export function CatalogPage() {
  const { t } = useTranslation('catalog')
  const { t: shared } = useTranslation()
  const account = useAccount()
  const params = useAccountParams()
  const search = useSearch({ from: '/signed/$account/catalog' })
  const navigate = useNavigate()
  const format = useFormats()
  const isPhone = useIsPhone()
  const nameOf = useProductWords()
  const change = useCallback(
    (changes: Partial<CatalogSearch>) =>
      void navigate({
        to: '.',
        search: (before: CatalogSearch) => ({ ...before, ...changes }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  // rounded to the minute, so that the same query stays cached for a minute
  const minute = Math.floor(useNow().getTime() / 60_000) * 60_000
  const filter = useMemo(() => filterOf(search, minute), [search, minute])
  const { together } = search
  const query = {
    ...filterQuery(filter),
    ...(search.sort === undefined ? {} : { sort: search.sort }),
    ...(together === undefined ? {} : { together }),
    per_page: PAGE_ROWS,
  }
  const found = useReadPages('GET /panel/api/accounts/{account_id}/products', { params, query })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found.query
  const rows = found.rows ?? NO_ROWS
  const first = found.pages?.[0]?.meta
  const isCounted = first !== undefined && first.total === null
  const counted = useRead(
    'GET /panel/api/accounts/{account_id}/products/count',
    { params, query: { ...filterQuery(filter), ...(together === undefined ? {} : { together }) } },
    { isEnabled: isCounted && !found.query.isPlaceholderData },
  )
  const total = first?.total ?? (isCounted && !counted.isPlaceholderData ? (counted.data?.data.count ?? null) : null)
  const { sort: _sort, columns: _columns, ...wanted } = search
  const selection = useSelection(`${account.id} ${JSON.stringify(wanted)}`, rows, total)
  const { lines, groups, error: linesError } = useLines(rows, filterQuery(filter))
  const columns = useColumns(chosenColumns(search.columns), groups, together !== undefined)
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <Page title={t('title')} lead={t('lead')} actions={<ViewMenus search={search} change={change} />}>
      <Toolbar>
        <SearchField text={search.search} change={(text) => change({ search: text })} />
        <ProductFilters search={search} change={change} />
        <Checkbox
          label={t('lines.together')}
          checked={together !== undefined}
          onChange={(event) => change({ together: event.currentTarget.checked ? 'yes' : undefined })}
        />
      </Toolbar>
      <Operations />
      {linesError === null ? null : <ProblemNote error={linesError} />}
      {found.query.isError ? <ProblemNote error={found.query.error} retry={() => void found.query.refetch()} /> : null}
      {found.rows === undefined ? (
        found.query.isError ? null : (
          <Sheet>
            <Waiting lines={12} />
          </Sheet>
        )
      ) : (
        <>
          <div className={classes.found}>
            <p className={classes.count} role="status">
              {total !== null
                ? together === undefined
                  ? shared('products', { count: total })
                  : t('lines.count', { count: total })
                : counted.isFetching
                  ? t('counting')
                  : t('moreThan', { count: rows.length })}
              {first?.is_settling === true ? ` · ${t('settling')}` : null}
            </p>
            <Suggestions search={search} filter={filter} change={change} />
          </div>
          <Sheet>
            <List<ShownLine>
              label={t('title')}
              columns={columns}
              rows={lines}
              keyOf={(product) => (product.isVariant === true ? `variant ${product.id}` : product.id)}
              open={({ id, group }) =>
                void navigate({
                  to: `/${account.id}/catalog/${group === null ? id : `groups/${group.id}`}`,
                })
              }
              phoneLine={(product) => <PhoneLine row={product} />}
              empty={
                hasNextPage ? (
                  <Empty>{t('noneYet')}</Empty>
                ) : (
                  <NothingFound search={search} meant={first?.did_you_mean ?? null} change={change} />
                )
              }
              {...(total === null ? {} : { total: total + lines.length - rows.length })}
              order={orderOf(search.sort)}
              reorder={(key) => change({ sort: nextSort(search.sort, key) })}
              // the line of a group is several products, which are chosen in the list without groups
              {...(isPhone || together !== undefined
                ? {}
                : {
                    selection: {
                      ...selection.list,
                      nameOf: (product) => t('choose', { title: nameOf(product, product.id) }),
                    },
                  })}
              reachEnd={more}
            />
          </Sheet>
          {hasNextPage ? (
            <More
              isBusy={isFetchingNextPage}
              isByItself={rows.length > 0}
              load={more}
              shown={format.number(rows.length)}
            />
          ) : null}
        </>
      )}
      {selection.count === 0 ? null : (
        <BulkBar
          selection={selection}
          filter={filter}
          total={total}
          isEnd={!hasNextPage}
          shown={rows.length}
          sort={search.sort}
        />
      )}
    </Page>
  )
}

function orderOf(sort: CatalogSearch['sort']): ListOrder | null {
  if (sort === undefined) return null
  return sort.startsWith('-') ? { key: sort.slice(1), isDescending: true } : { key: sort, isDescending: false }
}

/** The next sort order after a click: ascending, descending, default. Changes are only sorted newest first. */
function nextSort(sort: CatalogSearch['sort'], key: string): CatalogSearch['sort'] {
  const [up, down] = [key, `-${key}`] as CatalogSearch['sort'][]
  if (key === 'changed') return sort === down ? undefined : down
  if (sort === up) return down
  return sort === down ? undefined : up
}

/** Typing changes the address. The field follows the address on going back, or after a search in the palette. */
function SearchField({ text, change }: { text: string | undefined; change: (text: string | undefined) => void }) {
  const { t } = useTranslation('catalog')
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(text ?? '')
  const [settled] = useDebouncedValue(typed.trim(), TYPING_MS)
  const written = useRef(text ?? '')
  useHotkeys([['/', () => field.current?.focus()]])
  useEffect(() => {
    if (settled === written.current) return
    written.current = settled
    change(settled === '' ? undefined : settled)
  }, [settled, change])
  useEffect(() => {
    if ((text ?? '') === written.current) return
    written.current = text ?? ''
    setTyped(text ?? '')
  }, [text])
  return (
    <TextInput
      ref={field}
      className={classes.search}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        // "/" focuses this field, so it must not be typed into an empty one
        if (event.key === '/' && typed === '') event.preventDefault()
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        document.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus()
      }}
      aria-label={t('search')}
      placeholder={t('search')}
      leftSection={<SearchIcon size={16} />}
      rightSection={<Kbd>/</Kbd>}
      type="search"
      maxLength={200}
      autoFocus
    />
  )
}

/** The end of what has been read. The next part is read when this becomes visible, or by its button. */
function More({
  isBusy,
  isByItself,
  load,
  shown,
}: {
  isBusy: boolean
  isByItself: boolean
  load: () => void
  shown: string
}) {
  const { t } = useTranslation('catalog')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null || !isByItself) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && load(), {
      rootMargin: '800px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [load, isByItself])
  return (
    <div ref={place} className={classes.more}>
      <span>{t('shownSoFar', { count: shown })}</span>
      <Button variant="default" loading={isBusy} onClick={load}>
        {t('showMore')}
      </Button>
    </div>
  )
}

/** Why no product is listed, with a button for each possible cause. */
function NothingFound({
  search,
  meant,
  change,
}: {
  search: CatalogSearch
  /** The text that was most likely meant; it finds products with the same filters. */
  meant: string | null
  change: (changes: Partial<CatalogSearch>) => void
}) {
  const { t } = useTranslation('catalog')
  const text = search.search
  const filters = (Object.keys(NO_FILTERS) as (keyof CatalogSearch)[]).filter((name) => search[name] !== undefined)
  if (text === undefined && filters.length === 0) return <Empty>{t('noProducts')}</Empty>
  return (
    <Empty
      action={
        <span className={classes.ways}>
          {meant === null ? null : (
            <Button onClick={() => change({ search: meant })}>{t('nothing.instead', { text: meant })}</Button>
          )}
          {text === undefined ? null : (
            <Button variant="default" onClick={() => change({ search: undefined })}>
              {t('nothing.clearText')}
            </Button>
          )}
          {filters.length === 0 ? null : (
            <Button variant="default" onClick={() => change(NO_FILTERS)}>
              {t('nothing.clearFilters', { count: filters.length })}
            </Button>
          )}
        </span>
      }
    >
      {text === undefined
        ? t('nothing.byFilters')
        : meant === null
          ? t(filters.length === 0 ? 'nothing.byText' : 'nothing.byBoth', { text })
          : t('nothing.meant', { text, meant })}
    </Empty>
  )
}
