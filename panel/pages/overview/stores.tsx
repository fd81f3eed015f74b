import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../components/loaded.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useGapWords, useReasonWords } from '../../words/reasons.ts'
import classes from './overview.module.css'
import type { Lacking, Store } from './store-groups.ts'

/** A number of products, the words for it, and the filter that finds them. */
interface Part {
  words: string
  products: number
  search: object
}
const PARTS_SHOWN = 3

/**
 * The products of each store: how many it lists, how many it excludes and why, and their gaps. Each number links to these
 * products.
 */
export function Stores({
  stores,
  lacking = [],
  countedAt,
}: {
  stores: readonly Store[]
  lacking?: readonly Lacking[] | undefined
  countedAt: string
}) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const reasonWords = useReasonWords()
  const gapWords = useGapWords()
  const reasons = (store: Store): Part[] =>
    store.excluded_by_reason.slice(0, PARTS_SHOWN).map(({ reason, products }) => ({
      words: reasonWords(reason),
      products,
      search: { excluded: 'yes', reason },
    }))
  const gaps = (store: Store): Part[] =>
    (lacking.find((row) => row.store === store.slug)?.gaps ?? [])
      .filter(({ products }) => products > 0)
      .map(({ gap, products }) => ({ words: gapWords(gap), products, search: { incomplete: gap } }))
  const textOf = (parts: readonly Part[]) =>
    parts.map(({ words, products }) => `${words} ${format.number(products)}`).join(', ')
  /** Products of inactive stores cannot be listed, so there is no link. */
  const leadTo = (store: Store, search: object, children: ReactNode) =>
    store.is_active ? (
      <Link to="/$account/catalog" params={{ account: String(id) }} search={{ store: store.slug, ...search } as never}>
        {children}
      </Link>
    ) : (
      children
    )
  const numberOf = (store: Store, products: number, search: object) =>
    products === 0 ? format.number(0) : leadTo(store, search, format.number(products))
  const listOf = (store: Store, parts: readonly Part[]) => (
    <span className={classes.reasons} title={textOf(parts)}>
      {parts.map((part, i) => (
        <Fragment key={part.words}>
          {i === 0 ? null : ', '}
          {leadTo(store, part.search, textOf([part]))}
        </Fragment>
      ))}
    </span>
  )
  const columns: Column<Store>[] = [
    {
      id: 'name',
      title: t('stores.name'),
      sortBy: (store) => store.name.toLowerCase(),
      cell: (store) => (
        <>
          <span dir="auto">{store.name}</span>
          {store.is_active ? null : <span className={classes.reasons}> · {t('stores.inactive')}</span>}
        </>
      ),
    },
    {
      id: 'products',
      title: t('stores.products'),
      width: '84px',
      isNumber: true,
      sortBy: (store) => store.products,
      cell: (store) => numberOf(store, store.products, {}),
    },
    {
      id: 'excluded',
      title: t('stores.excluded'),
      width: '128px',
      isNumber: true,
      sortBy: (store) => store.excluded,
      cell: (store) => numberOf(store, store.excluded, { excluded: 'yes' }),
    },
    { id: 'reasons', title: t('stores.reasons'), isWide: true, cell: (store) => listOf(store, reasons(store)) },
    { id: 'gaps', title: t('stores.incomplete'), isWide: true, cell: (store) => listOf(store, gaps(store)) },
  ]
  return (
    <Section
      title={t('stores.title')}
      note={
        <>
          {t('stores.counted')} <RelativeTime at={countedAt} />
        </>
      }
      isFlush
    >
      <List
        label={t('stores.title')}
        columns={columns}
        rows={stores}
        keyOf={(store) => store.id}
        phoneLine={(store) => textOf([...reasons(store), ...gaps(store)])}
        empty={<Empty>{t('stores.none')}</Empty>}
      />
    </Section>
  )
}
