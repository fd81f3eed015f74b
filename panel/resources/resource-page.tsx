import { Button, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefreshAccount } from '../api/read.ts'
import { deleteResource, useResource, useResources, type Resource, type ResourceName } from '../api/resources.ts'
import { Confirm, SidePanel } from '../components/dialog.tsx'
import { Empty } from '../components/loaded.tsx'
import { columnsFor } from '../components/columns-for.ts'
import type { Column } from '../components/list.tsx'
import { ReadList } from '../components/read-list.tsx'
import { Page, Toolbar } from '../components/page.tsx'
import { showMessage } from '../components/messages.tsx'
import { SearchIcon } from '../design/icons.tsx'
import { useAccount } from '../session/account.ts'
import { EditResource, NewResource } from './editor.tsx'
import type { ResourceSpec } from './field.ts'
import type { ResourceSearch } from './search.ts'
import { useResourceWords } from './words.ts'

/** With at least this many rows, the page has a search field. */
const SEARCHED_FROM = 12

/** The part of the page's address that says what is open. */
export function useResourceAddress() {
  const search: ResourceSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (changes: ResourceSearch, isStep = false, ignoreBlocker = false) =>
    void navigate({
      to: '.',
      search: { ...search, ...changes } as never,
      replace: !isStep,
      resetScroll: false,
      ignoreBlocker,
    })
  return {
    search,
    open: (key: string | number) => go({ open: String(key), new: undefined }, true),
    /** @param from initial value of the first field */
    create: (from?: string) => go({ new: true, open: undefined, from }, true),
    close: () => go({ new: undefined, open: undefined, from: undefined }),
    /** Closes without asking, because the item no longer exists. */
    leave: () => go({ new: undefined, open: undefined, from: undefined }, false, true),
    filter: (q: string) => go({ q: q === '' ? undefined : q }),
  }
}

export interface ResourceViewProps<N extends ResourceName> {
  spec: ResourceSpec<N>
  /** What a deletion removes besides the item, in addition to the usual sentence. */
  takes?: (item: Resource<N>) => ReactNode
  /** A text that must be typed before the deletion. */
  typedToDelete?: (item: Resource<N>) => string
  /** Why the item cannot be deleted; null: it can be. */
  keptBecause?: (item: Resource<N>) => string | null
  aside?: (item: Resource<N>, values: Readonly<Record<string, unknown>>) => ReactNode
  /** False until the options of the fields are read: a form begins with what is known when it opens. */
  isReady?: boolean
  /** Called after a creation, to show what is shown only once. */
  made?: (item: Resource<N>) => void
}

const keyOf = <N extends ResourceName>(spec: ResourceSpec<N>, item: Resource<N>) =>
  (item as Record<string, string | number>)[spec.key] ?? ''

/** The windows beside a list: for a new item, for the open one, and the question before a deletion. */
export function ResourceWindows<N extends ResourceName>({
  spec,
  takes,
  typedToDelete,
  keptBecause,
  aside,
  isReady = true,
  made,
}: ResourceViewProps<N>) {
  const { t } = useTranslation('resources')
  const words = useResourceWords(spec.name)
  const account = useAccount()
  const address = useResourceAddress()
  const refresh = useRefreshAccount()
  const [removed, setRemoved] = useState<Resource<N> | null>(null)
  const { search, close } = address
  const opened = useResource(account.id, spec.name, search.open ?? null).data?.data
  const kept = removed === null ? null : (keptBecause?.(removed) ?? null)
  return (
    <>
      {search.new === true && isReady ? (
        <SidePanel title={words.of('create')} close={close}>
          <NewResource
            spec={spec}
            made={(item) => {
              close()
              showMessage(words.created(spec.titleOf(item)))
              made?.(item)
            }}
          />
        </SidePanel>
      ) : null}
      {search.open === undefined || !isReady ? null : (
        <SidePanel
          title={opened === undefined ? words.of('one') : `${words.of('one')}: ${spec.titleOf(opened)}`}
          close={close}
        >
          <EditResource
            key={search.open}
            spec={spec}
            itemKey={search.open}
            remove={setRemoved}
            aside={aside}
            saved={close}
          />
        </SidePanel>
      )}
      {removed === null ? null : (
        <Confirm
          title={t('deleteTitle', { name: spec.titleOf(removed) })}
          action={words.of('delete')}
          {...(kept === null && typedToDelete !== undefined ? { typed: typedToDelete(removed) } : {})}
          run={async () => {
            await deleteResource(account.id, spec.name, keyOf(spec, removed))
            address.leave()
            await refresh()
            showMessage(t('deleted', { name: spec.titleOf(removed) }))
          }}
          close={() => setRemoved(null)}
        >
          {kept === null ? null : <p>{kept}</p>}
          <p>{words.of('deletes')}</p>
          {takes?.(removed)}
        </Confirm>
      )}
    </>
  )
}

/** A page for one kind of account resource: the list, and windows to create, edit and delete. */
export function ResourcePage<N extends ResourceName>({
  columns,
  phoneLine,
  leadsTo,
  above,
  children,
  ...view
}: ResourceViewProps<N> & {
  columns: readonly Column<Resource<N>>[]
  phoneLine?: (item: Resource<N>) => ReactNode
  /** If set, rows link to a page of their own. */
  leadsTo?: (item: Resource<N>) => string
  /** Before the list. */
  above?: ReactNode
  /** What stands below the list. */
  children?: ReactNode
}) {
  const { spec } = view
  const { t } = useTranslation('resources')
  const words = useResourceWords(spec.name)
  const account = useAccount()
  const navigate = useNavigate()
  const address = useResourceAddress()
  const items = useResources(account.id, spec.name)
  const wanted = (address.search.q ?? '').toLowerCase()
  const shown = useMemo(
    () =>
      items.data?.filter((item) => wanted === '' || JSON.stringify(Object.values(item)).toLowerCase().includes(wanted)),
    [items.data, wanted],
  )
  const create = <Button onClick={() => address.create()}>{words.of('create')}</Button>
  return (
    <Page title={words.of('title')} lead={words.of('lead')} actions={items.data?.length === 0 ? undefined : create}>
      {above}
      {(items.data?.length ?? 0) < SEARCHED_FROM && wanted === '' ? null : (
        <Toolbar>
          <RowSearch q={address.search.q ?? ''} filter={address.filter} />
        </Toolbar>
      )}
      <ReadList
        query={items}
        label={words.of('title')}
        columns={columnsFor(columns, items.data ?? [])}
        rows={shown}
        keyOf={(item) => keyOf(spec, item)}
        open={(item) =>
          leadsTo === undefined ? address.open(keyOf(spec, item)) : void navigate({ to: leadsTo(item) })
        }
        {...(phoneLine === undefined ? {} : { phoneLine })}
        empty={
          items.data?.length === 0 ? (
            <Empty action={create} headings={columns.slice(0, 4).map(({ title }) => title)}>
              {words.of('none')}
            </Empty>
          ) : (
            <Empty>{t('noMatch', { text: address.search.q ?? '' })}</Empty>
          )
        }
      />
      {children}
      <ResourceWindows
        {...view}
        // an item with a page of its own opens there
        {...(leadsTo === undefined ? {} : { made: (item: Resource<N>) => void navigate({ to: leadsTo(item) }) })}
      />
    </Page>
  )
}

/**
 * Filters the rows that were read. If the service filters, pass `settledMs`: the filter then changes only after typing has
 * paused for this many milliseconds.
 */
export function RowSearch({
  q,
  filter,
  label,
  settledMs = 0,
}: {
  q: string
  filter: (q: string) => void
  label?: string
  settledMs?: number
}) {
  const { t } = useTranslation('resources')
  const [text, setText] = useState(q)
  const settle = useDebouncedCallback(filter, settledMs)
  return (
    <TextInput
      type="search"
      aria-label={label ?? t('search')}
      placeholder={label ?? t('search')}
      leftSection={<SearchIcon size={14} />}
      value={text}
      w={label === undefined ? 280 : 340}
      maw="100%"
      onChange={(event) => {
        setText(event.currentTarget.value)
        const wanted = event.currentTarget.value.trim()
        if (settledMs === 0) filter(wanted)
        else settle(wanted)
      }}
    />
  )
}
