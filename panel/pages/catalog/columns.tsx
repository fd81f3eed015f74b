import { useTranslation } from 'react-i18next'
import { forEachField, LISTED_NAMES, type ListedName } from '../../../contract/product-fields.ts'
import type { Answer } from '../../api/client.ts'
import type { Column } from '../../components/list.tsx'
import { useIsPhone } from '../../components/phone.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ProductLine } from '../../resources/product-line.tsx'
import { useFieldNames } from '../../words/field-names.ts'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import classes from './catalog.module.css'
import { GroupLine, priceRange, type OpenGroups, type ShownLine } from './lines.tsx'

export type ListedProduct = Answer<'GET /panel/api/accounts/{account_id}/products'>['data'][number]

/** In the order of the table; the title column is always shown. */
export const COLUMNS = ['sku', 'ean', ...LISTED_NAMES, 'price', 'stock', 'state', 'stores', 'changed', 'id'] as const
export type ColumnName = (typeof COLUMNS)[number]
/**
 * The default columns. The state is not among them: it is shown beside the title of products that are not for sale in
 * all their stores.
 */
const DEFAULT: readonly ColumnName[] = ['sku', 'manufacturer', 'price', 'stock', 'changed']

/** The columns that the address names; by default the default columns. */
export function chosenColumns(names: string | undefined): readonly ColumnName[] {
  if (names === undefined) return DEFAULT
  const asked = names.split(',')
  return COLUMNS.filter((name) => asked.includes(name))
}

/** The address's text for these columns; undefined for the default columns. */
export function columnsText(chosen: readonly ColumnName[]): string | undefined {
  const names = COLUMNS.filter((name) => chosen.includes(name)).join(',')
  return names === DEFAULT.join(',') ? undefined : names === '' ? 'title' : names
}

export function useColumnTitle(): (name: ColumnName) => string {
  const { t } = useTranslation('catalog')
  const fieldName = useFieldNames()
  return (name) => (isListed(name) ? fieldName(name) : t(`columns.${name}`))
}

const isListed = (name: ColumnName): name is ListedName => LISTED_NAMES.some((field) => field === name)

/** The columns that the line of a group fills from all its products. Other columns are empty there. */
const OF_GROUPS: readonly ColumnName[] = ['price', 'stock', 'manufacturer']

/** @param isTogether groups are shown as lines, with the range of their prices */
export function useColumns(
  chosen: readonly ColumnName[],
  groups: OpenGroups,
  isTogether: boolean,
): Column<ShownLine>[] {
  const { t } = useTranslation('catalog')
  const fieldName = useFieldNames()
  const format = useFormats()
  const isPhone = useIsPhone()
  const numberOf = (value: number | null) => (value === null ? '–' : format.number(value))
  const all: Readonly<Record<ColumnName, Column<ListedProduct>>> = {
    sku: {
      id: 'sku',
      title: t('columns.sku'),
      sortKey: 'sku',
      width: '12%',
      isWide: true,
      cell: ({ sku }) => sku ?? '–',
    },
    ean: { id: 'ean', title: t('columns.ean'), width: '150px', isWide: true, cell: ({ ean }) => ean ?? '–' },
    ...forEachField(LISTED_NAMES, (field): Column<ListedProduct> => ({
      id: field,
      title: fieldName(field),
      width: '12%',
      isWide: true,
      cell: (row) => <span dir="auto">{row[field] ?? '–'}</span>,
    })),
    price: {
      id: 'price',
      title: t('columns.price'),
      width: isTogether && !isPhone ? '200px' : '110px',
      isNumber: true,
      cell: ({ price, currency, group }) =>
        group !== null ? (
          <span className={classes.range}>{priceRange(group, format)}</span>
        ) : price === null || currency === null ? (
          '–'
        ) : (
          format.money(price, currency)
        ),
    },
    stock: {
      id: 'stock',
      title: t('columns.stock'),
      width: '80px',
      isNumber: true,
      isWide: true,
      cell: ({ stock, group }) => numberOf(group === null ? stock : group.stock),
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
      cell: ({ changed_at: at }) => (at === null ? '–' : <RelativeTime at={at} />),
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
      cell(row) {
        if (row.group !== null) return <GroupLine row={row} group={row.group} groups={groups} />
        const line = (
          <ProductLine of={row} id={row.id} mark={isPhone || chosen.includes('state') ? undefined : specialOf(row)} />
        )
        return row.isVariant === true ? (
          <span className={classes.variant} data-pictured>
            {line}
          </span>
        ) : (
          line
        )
      },
    },
    ...chosen.map((name): Column<ShownLine> => {
      const column = all[name]
      if (OF_GROUPS.includes(name)) return column
      return { ...column, cell: (row) => (row.group === null ? column.cell(row) : null) }
    }),
  ]
}

/** The line below the title on a phone. */
export function PhoneLine({ row }: { row: ShownLine }) {
  const { t } = useTranslation('catalog')
  const { sku, manufacturer, group } = row
  if (group !== null)
    return <span className={classes.variant}>{t('lines.variants', { count: group.product_ids.length })}</span>
  return (
    <span className={row.isVariant === true ? classes.variant : undefined}>
      {specialOf(row)} {[sku, manufacturer].filter((part) => part !== null).join(' · ')}
    </span>
  )
}

/** The state of a product; undefined if it is for sale in all its stores, as most products are. */
const specialOf = (row: ListedProduct) =>
  row.stores > 0 && row.excluded_in === 0 ? undefined : <State row={row} isWhole />

/** Whether stores sell the product: in how many it is excluded, and the reason in the shown store. */
function State({
  row,
  isWhole = false,
}: {
  row: ListedProduct
  /** Says that it is an exclusion, because no column title does. */
  isWhole?: boolean
}) {
  const { t } = useTranslation('catalog')
  const reasonWords = useReasonWords()
  const { stores, excluded_in: excludedIn, exclusion_reason } = row
  const reason = exclusion_reason === null ? null : reasonWords(exclusion_reason)
  if (stores === 0) return <StateMark tone="off">{t('state.unlisted')}</StateMark>
  if (excludedIn === 0) return <StateMark tone="good">{t('state.listed')}</StateMark>
  const words =
    excludedIn < stores
      ? t('state.excludedIn', { excluded: excludedIn, stores })
      : reason === null
        ? t('state.excluded')
        : isWhole
          ? t('state.excludedBecause', { reason })
          : reason
  return (
    <span title={reason ?? undefined}>
      <StateMark tone="warn">{words}</StateMark>
    </span>
  )
}
