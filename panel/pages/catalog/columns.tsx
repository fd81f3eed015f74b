import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import type { Column } from '../../components/list.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { When } from '../../components/when.tsx'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import classes from './catalog.module.css'

export type ListedProduct = Answer<'GET /panel/api/accounts/{account_id}/products'>['data'][number]

/** In their order; the title is always there. */
export const COLUMNS = ['sku', 'ean', 'manufacturer', 'price', 'stock', 'state', 'stores', 'changed', 'id'] as const
export type ColumnName = (typeof COLUMNS)[number]
const DEFAULT: readonly ColumnName[] = ['sku', 'manufacturer', 'price', 'stock', 'state', 'changed']

/** The columns that an address names; those that everybody sees when it names none. */
export function chosenColumns(names: string | undefined): readonly ColumnName[] {
  if (names === undefined) return DEFAULT
  const asked = names.split(',')
  return COLUMNS.filter((name) => asked.includes(name))
}

/** As the address names them; undefined for those that everybody sees. */
export function columnsText(chosen: readonly ColumnName[]): string | undefined {
  const names = COLUMNS.filter((name) => chosen.includes(name)).join(',')
  return names === DEFAULT.join(',') ? undefined : names === '' ? 'title' : names
}

export function useColumns(chosen: readonly ColumnName[]): Column<ListedProduct>[] {
  const { t } = useTranslation('catalog')
  const format = useFormats()
  const all: Readonly<Record<ColumnName, Column<ListedProduct>>> = {
    sku: {
      id: 'sku',
      title: t('columns.sku'),
      sortKey: 'sku',
      width: '14%',
      isWide: true,
      cell: ({ sku }) => sku ?? '–',
    },
    ean: { id: 'ean', title: t('columns.ean'), width: '130px', isWide: true, cell: ({ ean }) => ean ?? '–' },
    manufacturer: {
      id: 'manufacturer',
      title: t('columns.manufacturer'),
      width: '13%',
      isWide: true,
      cell: ({ manufacturer }) => <span dir="auto">{manufacturer ?? '–'}</span>,
    },
    price: {
      id: 'price',
      title: t('columns.price'),
      width: '110px',
      isNumber: true,
      cell: ({ price, currency }) => (price === null || currency === null ? '–' : format.money(price, currency)),
    },
    stock: {
      id: 'stock',
      title: t('columns.stock'),
      width: '80px',
      isNumber: true,
      isWide: true,
      cell: ({ stock }) => (stock === null ? '–' : format.number(stock)),
    },
    state: { id: 'state', title: t('columns.state'), width: '170px', isWide: true, cell: (row) => <State row={row} /> },
    stores: {
      id: 'stores',
      title: t('columns.stores'),
      width: '80px',
      isNumber: true,
      isWide: true,
      cell: ({ stores }) => format.number(stores),
    },
    changed: {
      id: 'changed',
      title: t('columns.changed'),
      sortKey: 'changed',
      width: '150px',
      isWide: true,
      cell: ({ changed_at: at }) => (at === null ? '–' : <When at={at} />),
    },
    id: {
      id: 'id',
      title: t('columns.id'),
      sortKey: 'id',
      width: '100px',
      isNumber: true,
      isWide: true,
      cell: ({ id }) => id,
    },
  }
  return [
    {
      id: 'title',
      title: t('columns.title'),
      sortKey: 'title',
      cell: ({ title }) =>
        title === null ? <span className={classes.quiet}>{t('noTitle')}</span> : <span dir="auto">{title}</span>,
    },
    ...chosen.map((name) => all[name]),
  ]
}

/** Whether stores sell it: in how many it is excluded, and why in the one that is shown. */
function State({ row }: { row: ListedProduct }) {
  const { t } = useTranslation('catalog')
  const reasonWords = useReasonWords()
  const { stores, excluded_in: excludedIn, exclusion_reason } = row
  const reason = exclusion_reason === null ? null : reasonWords(exclusion_reason)
  if (stores === 0) return <StateMark tone="off">{t('state.unlisted')}</StateMark>
  if (excludedIn === 0) return <StateMark tone="good">{t('state.listed')}</StateMark>
  const words =
    excludedIn === stores ? (reason ?? t('state.excluded')) : t('state.excludedIn', { excluded: excludedIn, stores })
  return (
    <span title={reason ?? undefined}>
      <StateMark tone="warn">{words}</StateMark>
    </span>
  )
}
