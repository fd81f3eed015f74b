import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { call, exchange, type Answer, type Sent } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { usePages } from '../../api/read-pages.ts'
import { useRead, useRefreshAccount } from '../../api/read.ts'
import { Empty, Waiting } from '../../components/loaded.tsx'
import { More } from '../../components/read-list.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { sourceFieldOf, useFieldNames } from '../../words/field-names.ts'
import { useFormats } from '../../words/format.ts'
import { PRODUCT, STOCK, type Offer } from './data.ts'
import { useEditing } from './editing.tsx'
import classes from './product.module.css'
import { isObject } from '../../resources/is-object.ts'

const ROUTE = 'GET /panel/api/accounts/{account_id}/products/{product_id}/history'
type History = Answer<typeof ROUTE>['data']
type Edit = History['edits'][number]
type Run = Offer['runs'][number] & { supplier: string; sku: string }

/**
 * Who changed the product and when: people in the panel, and imports. A person's change can be undone while the values are still
 * the same.
 */
export function Changes({ productId }: { productId: number }) {
  const { t } = useTranslation(['product-edit', 'shared'])
  const params = { ...useAccountParams(), product_id: productId }
  const { pages, query } = usePages({
    key: [ROUTE, params],
    read: (next, signal) => call(ROUTE, { params, query: next, signal }),
  })
  const offers = useRead('GET /panel/api/accounts/{account_id}/products/{product_id}/offers', { params })
  const [newest] = pages ?? []
  if (query.isError) return <ProblemNote error={query.error} retry={() => void query.refetch()} />
  if (pages === undefined || newest === undefined) return <Waiting lines={6} />
  const edits = pages.flatMap((page) => page.data.edits)
  const runs = (offers.data?.data ?? []).flatMap((offer) =>
    offer.runs.map((run): Run => ({ ...run, supplier: offer.supplier.name, sku: offer.sku })),
  )
  const moments = [
    ...edits.map((edit) => ({ at: edit.at, edit, run: null })),
    ...runs.map((run) => ({ at: run.at, edit: null, run })),
  ].toSorted((a, b) => b.at.localeCompare(a.at))
  return (
    <>
      <Section title={t('changes.title')} note={t('changes.note')}>
        {moments.length === 0 ? (
          <Empty>{t('changes.none')}</Empty>
        ) : (
          <ol className={classes.moments}>
            {moments.map(({ at, edit, run }) => (
              <li key={edit === null ? `run ${run?.run_id} ${run?.supplier} ${run?.sku}` : edit.id}>
                <div className={classes.moment}>
                  {edit === null ? <RunWords run={run} /> : <EditWords edit={edit} newest={newest.data} />}
                </div>
                <span className={classes.quiet}>
                  <RelativeTime at={at} />
                </span>
              </li>
            ))}
          </ol>
        )}
        {query.hasNextPage ? <More isBusy={query.isFetchingNextPage} read={() => void query.fetchNextPage()} /> : null}
      </Section>
      <Section title={t('changes.stores')} note={t('changes.storesNote')}>
        {newest.data.stores.length === 0 ? (
          <p className={classes.quiet}>{t('changes.noStores')}</p>
        ) : (
          <ul className={classes.moments}>
            {newest.data.stores.map(({ store, at, kind }) => (
              <li key={store}>
                <span>
                  {store} · {t(`shared:events.${kind}`)}
                </span>
                <span className={classes.quiet}>
                  <RelativeTime at={at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function RunWords({ run }: { run: Run | null }) {
  const { t } = useTranslation('product-edit')
  const format = useFormats()
  if (run === null) return null
  return (
    <>
      <span dir="auto">
        {t(run.trigger === 'undo' ? 'changes.undoneImport' : 'changes.import', {
          supplier: run.supplier,
          sku: run.sku,
        })}
        {': '}
        {t(`offers.run.${run.kind}`)}
        {run.members.length === 0 ? '' : ` (${format.list(run.members)})`}
      </span>
      {run.file_name === null ? null : <span className={classes.quiet}>{run.file_name}</span>}
    </>
  )
}

const ACTIONS = [
  'createProduct',
  'patchProduct',
  'mergeProducts',
  'splitProduct',
  'putStock',
  'patchStock',
  'deleteStock',
]

function EditWords({ edit, newest }: { edit: Edit; newest: History }) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const refresh = useRefreshAccount()
  const { productId, done } = useEditing()
  const undo = useMutation({
    mutationFn: async () => {
      const { operationId } = await takeBack({ accountId: account.id, params: { id: productId } }, edit, newest)
      await done({ text: t('saved.undone'), operationId, undo: null })
    },
    // somebody else was faster, so the page shows outdated values
    onError: (error) => (asProblem(error).code === 'precondition-failed' ? refresh() : undefined),
  })
  const action = ACTIONS.includes(edit.action)
    ? t(`changes.action.${edit.action}` as 'changes.action.patchProduct')
    : edit.action
  return (
    <>
      <span dir="auto">
        <strong>{action}</strong> · {edit.by}
      </span>
      {edit.change === null ? <Details details={edit.details} /> : <Differences change={edit.change} />}
      {edit.is_undoable ? (
        <span>
          <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
            {t('changes.undo')}
          </Button>
        </span>
      ) : null}
      <ProblemNote error={undo.error} />
    </>
  )
}

type Members = Readonly<Record<string, unknown>>

/**
 * Writes the previous values back. Own stock is a resource of its own, and an edit changes either that or the product.
 */
function takeBack(request: Sent, { change }: Edit, { revision, stock_revision: stockRevision }: History) {
  const before = change?.before ?? {}
  if (!Object.hasOwn(before, 'stock')) return exchange(`PATCH ${PRODUCT}`, { ...request, body: before, revision })
  const { stock } = before
  if (stockRevision === null) return exchange(`PUT ${STOCK}`, { ...request, body: stock, isNew: true })
  const there = { ...request, revision: stockRevision }
  return stock === null ? exchange(`DELETE ${STOCK}`, there) : exchange(`PATCH ${STOCK}`, { ...there, body: stock })
}

/** The differing members by path, with the value before and after. */
function Differences({ change }: { change: NonNullable<Edit['change']> }) {
  const { t } = useTranslation('product-edit')
  const show = (value: unknown) => {
    if (value === null || value === undefined) return t('changes.nothing')
    if (value === true || value === false) return t(value ? 'changes.yes' : 'changes.no')
    if (Array.isArray(value)) return t('chain.images', { count: value.length })
    return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
  }
  const nameOf = usePathName()
  const rows = leavesOf(change.before, change.after)
  return (
    <dl className={classes.differences}>
      {rows.map(({ path, before, after }) => (
        <Fragment key={path.join(' ')}>
          <dt>{nameOf(path)}</dt>
          <dd>
            <del className={classes.cut} dir="auto">
              {show(before)}
            </del>
            <ins className={classes.cut} dir="auto">
              {show(after)}
            </ins>
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** The name of a member: "Title, de", "Excluded in main". */
function usePathName(): (path: readonly string[]) => string {
  const { t, i18n } = useTranslation('product-edit')
  const fieldName = useFieldNames()
  return ([given = '', ...inside]) => {
    // own stock consists of several members
    const [member, ...places] = given === 'stock' ? [inside[0] ?? given] : [given, ...inside]
    const field = sourceFieldOf(member)
    const name = i18n.exists(`product-edit:changes.name.${member}`)
      ? t(`changes.name.${member}` as 'changes.name.sku')
      : field === undefined
        ? member
        : fieldName(field)
    const shown = places.map((place) => (place === '*' ? t('changes.every') : place))
    return member === 'listings' || member === 'exclusions' ? [name, ...shown].join(' ') : [name, ...shown].join(', ')
  }
}

interface Leaf {
  path: readonly string[]
  before: unknown
  after: unknown
}

function leavesOf(before: unknown, after: unknown, path: readonly string[] = []): Leaf[] {
  if (!isObject(before) && !isObject(after)) return [{ path, before, after }]
  const [old, next] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((name) =>
    leavesOf(Object.hasOwn(old, name) ? old[name] : null, Object.hasOwn(next, name) ? next[name] : null, [
      ...path,
      name,
    ]),
  )
}

const DETAILS_SHOWN = 400

/** The request's details, for an edit that is not a change of members. */
function Details({ details }: { details: Members }) {
  const { t } = useTranslation('product-edit')
  const nameOf = usePathName()
  const { body, bytes } = details
  if (isObject(body) && Object.keys(body).length > 0)
    return (
      <span className={classes.quiet}>
        {Object.entries(body)
          .map(([name, value]) => `${nameOf([name])}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(', ')
          .slice(0, DETAILS_SHOWN)}
      </span>
    )
  return typeof bytes === 'number' ? <span className={classes.quiet}>{t('changes.large')}</span> : null
}
