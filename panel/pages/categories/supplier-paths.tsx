import { Button, Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { useResources } from '../../api/resources.ts'
import { useChosen } from '../../components/chosen.ts'
import { Empty, Loaded } from '../../components/loaded.tsx'
import { List, type Column } from '../../components/list.tsx'
import { useIsPhone } from '../../components/phone.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { Sheet, Toolbar } from '../../components/page.tsx'
import { RowSearch, useResourceAddress } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './categories.module.css'
import { createMapped, mapPaths, mapProposed } from './map-paths.ts'
import { proposals } from './propose.ts'
import type { Category } from './tree.ts'
import { useMapping, type Mapping } from './use-mapping.ts'

type Path = Answer<'GET /panel/api/accounts/{account_id}/supplier-paths'>['data'][number]

/** Suppliers' paths, unmapped ones first. Several can be mapped at once. */
export function SupplierPaths({ categories }: { categories: readonly Category[] }) {
  const { t } = useTranslation('resources')
  const words = useResourceWords('categories')
  const account = useAccount()
  const isPhone = useIsPhone()
  const format = useFormats()
  const address = useResourceAddress()
  const paths = useRead('GET /panel/api/accounts/{account_id}/supplier-paths', { params: useAccountParams() })
  const {
    keys: chosen,
    set: setChosen,
    selection,
  } = useChosen<Path, string>(
    ({ path }) => path,
    ({ path }) => words.of('choose', { name: path }),
  )
  // kept after a mapping, because more paths may be mapped to it
  const [target, setTarget] = useState<string | null>(null)
  const { data: suppliers } = useResources(account.id, 'suppliers')
  const nameOf = useMemo(() => new Map((suppliers ?? []).map(({ code, name }) => [code, name])), [suppliers])
  const text = (address.search.q ?? '').toLowerCase()
  const shown = useMemo(() => {
    const rows = (paths.data?.data ?? []).filter(
      ({ path, category, suppliers: codes }) =>
        text === '' ||
        [path, category ?? '', ...codes, ...codes.map((code) => nameOf.get(code) ?? '')].some((value) =>
          value.toLowerCase().includes(text),
        ),
    )
    return [...rows.filter(({ category }) => category === null), ...rows.filter(({ category }) => category !== null)]
  }, [paths.data, text, nameOf])
  const unmapped = shown.filter(({ category }) => category === null)
  const proposed = useMemo(
    () =>
      proposals(
        (paths.data?.data ?? []).flatMap(({ path, category }) => (category === null ? [path] : [])),
        categories,
      ),
    [paths.data, categories],
  )
  const offered = unmapped.flatMap(({ path }) => {
    const category = proposed.get(path)
    return category === undefined ? [] : [[path, category.id] as const]
  })
  const mapping = useMapping(() => setChosen([]))
  const { work } = mapping
  const accept = (pairs: readonly (readonly [path: string, id: number])[]) =>
    mapping.run(pairs.length, (progress) => mapProposed(account.id, pairs, progress))
  const columns: Column<Path>[] = [
    {
      id: 'path',
      title: words.of('path'),
      sortBy: (row) => row.path.toLowerCase(),
      cell: (row) => (
        <span dir="auto" title={row.path}>
          {row.path}
        </span>
      ),
    },
    {
      id: 'products',
      title: t('products'),
      width: '12%',
      isNumber: true,
      isWide: true,
      sortBy: (row) => row.products,
      cell: (row) => format.number(row.products),
    },
    {
      id: 'suppliers',
      title: words.of('suppliers'),
      width: '28%',
      isWide: true,
      cell(row) {
        const names = row.suppliers.map((code) => nameOf.get(code) ?? code).join(', ')
        return (
          <span dir="auto" title={names}>
            {names}
          </span>
        )
      },
    },
    {
      id: 'category',
      title: words.of('category'),
      width: isPhone ? '48%' : '30%',
      sortBy: (row) => row.category ?? '',
      cell: (row) => <Mapped path={row} proposed={proposed.get(row.path)} accept={accept} isBusy={work !== null} />,
    },
  ]
  return (
    <Loaded query={paths}>
      {({ meta }) => (
        <>
          <Toolbar>
            <RowSearch q={address.search.q ?? ''} filter={address.filter} />
            <span>{words.of('unmappedCount', { count: unmapped.length, shown: format.number(unmapped.length) })}</span>
            {unmapped.length > 0 ? (
              <Button size="xs" variant="default" onClick={() => setChosen(unmapped.map(({ path }) => path))}>
                {words.of('chooseUnmapped')}
              </Button>
            ) : null}
            {offered.length > 0 ? (
              <Button size="xs" loading={work !== null} onClick={() => accept(offered)}>
                {words.of('acceptAll', { count: offered.length })}
              </Button>
            ) : null}
            {work === null || chosen.size > 0 ? null : <span role="status">{words.of('progress', work)}</span>}
          </Toolbar>
          <ProblemNote error={mapping.error} />
          <Sheet>
            {chosen.size === 0 ? null : (
              <ChosenPaths
                paths={[...chosen]}
                categories={categories}
                mapping={mapping}
                target={target}
                setTarget={setTarget}
                forget={() => setChosen([])}
              />
            )}
            <List
              label={words.of('paths')}
              columns={columns}
              rows={shown}
              keyOf={(row) => row.path}
              selection={selection}
              phoneLine={(row) => t('productCount', { count: row.products, shown: format.number(row.products) })}
              empty={<Empty>{text === '' ? words.of('noPaths') : t('noMatch', { text })}</Empty>}
            />
            {meta.is_capped ? <p className={classes.bar}>{words.of('capped', { count: shown.length })}</p> : null}
          </Sheet>
        </>
      )}
    </Loaded>
  )
}

/** Maps the chosen paths to a category, or creates a category for each. */
function ChosenPaths({
  paths,
  categories,
  mapping: { work, run },
  target,
  setTarget,
  forget,
}: {
  paths: readonly string[]
  categories: readonly Category[]
  mapping: Mapping
  /** The ID of a category. */
  target: string | null
  setTarget: (target: string | null) => void
  forget: () => void
}) {
  const { t } = useTranslation('resources')
  const words = useResourceWords('categories')
  const account = useAccount()
  const selected = categories.find(({ id }) => String(id) === target)
  return (
    <div className={classes.bar} role="region" aria-label={words.of('chosen', { count: paths.length })}>
      <strong>{words.of('chosen', { count: paths.length })}</strong>
      <Select
        searchable
        w={300}
        maw="100%"
        aria-label={words.of('target')}
        placeholder={words.of('target')}
        nothingFoundMessage={t('nothing')}
        data={categories.map(({ id, path }) => ({ value: String(id), label: path }))}
        limit={100}
        value={target}
        onChange={setTarget}
      />
      <Button
        disabled={selected === undefined}
        loading={work !== null}
        onClick={() =>
          run(paths.length, async (progress) => {
            if (selected !== undefined) await mapPaths(account.id, selected.id, paths, progress)
          })
        }
      >
        {words.of('map')}
      </Button>
      <Button
        variant="default"
        loading={work !== null}
        onClick={() => run(paths.length, (progress) => createMapped(account.id, paths, progress))}
      >
        {words.of('createMapped')}
      </Button>
      <Button variant="subtle" color="gray" onClick={forget}>
        {words.of('chooseNone')}
      </Button>
      {work === null ? null : <span role="status">{words.of('progress', work)}</span>}
    </div>
  )
}

/** The category of a path, or a proposal. */
function Mapped({
  path: { path, category },
  proposed,
  accept,
  isBusy,
}: {
  path: Path
  proposed: Category | undefined
  accept: (pairs: readonly (readonly [path: string, id: number])[]) => void
  isBusy: boolean
}) {
  const words = useResourceWords('categories')
  if (category !== null)
    return (
      <span dir="auto" title={category}>
        {category}
      </span>
    )
  if (proposed === undefined) return <StateMark tone="warn">{words.of('unmapped')}</StateMark>
  return (
    <span className={classes.proposal}>
      <span dir="auto" title={proposed.path}>
        {words.of('maybe', { path: proposed.path })}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        disabled={isBusy}
        aria-label={words.of('acceptOne', { path, category: proposed.path })}
        onClick={() => accept([[path, proposed.id]])}
      >
        {words.of('accept')}
      </Button>
    </span>
  )
}
