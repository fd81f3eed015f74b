import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProductNames, type NamedProduct } from '../../api/product-names.ts'
import { useResources } from '../../api/resources.ts'
import { Empty } from '../../components/loaded.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Due, RelativeTime } from '../../components/relative-time.tsx'
import { ProductThumbnail } from '../../resources/product-line.tsx'
import { FoundName, ProductLink, useProductWords, useStoreName } from '../../resources/product-name.tsx'
import { useReasonWords } from '../../pictures/picture-state.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useGapWords } from '../../words/reasons.ts'
import { AdoptCopy } from './adopt-copies.tsx'
import classes from './findings.module.css'
import { FAILING_PICTURES, filterOf, type Kind, LACKING, type Row } from './kinds.ts'
import { humanizedName, wordsOf } from './words.ts'

/** The most products of a row that are named; the others are counted. */
const NAMED_MAX = 3

export function Rows({ kind, label }: { kind: Kind; label: string }) {
  const { t } = useTranslation('findings')
  return (
    <List
      label={label}
      {...useRowColumns(kind)}
      rows={kind.rows}
      keyOf={(row) => JSON.stringify(row)}
      empty={<Empty>{t('none')}</Empty>}
    />
  )
}

/** The columns of a kind's rows, and the line that replaces them on a phone. */
interface RowColumns {
  columns: Column<Row>[]
  phoneLine: (row: Row) => string
}

/**
 * The members of the rows as columns, in the words of a merchant: names of stores, suppliers and groups, links for products, relative
 * times; and a link to the products of a row, if the product list has a filter for them.
 */
function useRowColumns(kind: Kind): RowColumns {
  const { t } = useTranslation('findings')
  const { id } = useAccount()
  const shownValue = useShownValue()
  const find = useProductNames(
    id,
    kind.name === LACKING
      ? []
      : kind.rows.flatMap((row) =>
          [row['product_id'], row['product_ids']].flatMap((value) => idsOf(value).slice(0, NAMED_MAX)),
        ),
  )
  const nameOf = useProductWords()
  const format = useFormats()
  const cellOf = (name: string, value: unknown): ReactNode => {
    if (/^product_ids?$/.test(name)) return <Products value={value} find={find} />
    if (/_(?:at|since)$/.test(name) && typeof value === 'string') return <RelativeTime at={value} />
    if (name === 'kept_until' && typeof value === 'string') return <Due at={value} />
    if (name === 'variant_group_id' && typeof value === 'number')
      return (
        <Link to="/$account/catalog/groups/$group" params={{ account: String(id), group: String(value) }}>
          {value}
        </Link>
      )
    // these are counts; other numbers are IDs
    const isCount = /^(?:products|offers|looks)$/.test(name) && typeof value === 'number'
    const text = isCount ? format.number(value) : shownValue(name, value)
    if (name === 'supplier' && typeof value === 'string')
      return (
        <Link to="/$account/suppliers/$supplier" params={{ account: String(id), supplier: value }}>
          <span dir="auto">{text}</span>
        </Link>
      )
    return (
      <span dir="auto" title={text}>
        {text}
      </span>
    )
  }
  const names = [...new Set(kind.rows.slice(0, 50).flatMap((row) => Object.keys(row)))]
    // the service names only the first of these products
    .filter((name) => kind.name !== LACKING || name !== 'product_ids')
  const columns = names.map((name, i): Column<Row> => ({
    id: name,
    title: wordsOf(`members.${name}`) ?? humanizedName(name),
    isWide: i > 0 && !/product_id/.test(name),
    isNumber: /^(?:products|offers|looks)$/.test(name),
    sortBy: (row) => {
      const value = row[name]
      const [first] = /^product_ids?$/.test(name) ? idsOf(value).map(find) : []
      if (first !== undefined) return nameOf(first, first.product_id).toLowerCase()
      return typeof value === 'number' ? value : shownValue(name, value)
    },
    cell: (row) => cellOf(name, row[name]),
  }))
  const hasFilter = kind.rows.some((row) => filterOf(kind.name, row) !== null)
  const shown: Column<Row> = {
    id: 'shown',
    title: t('list'),
    width: '18%',
    cell: (row) => {
      const filter = filterOf(kind.name, row)
      return filter === null ? null : (
        <Link to="/$account/catalog" params={{ account: String(id) }} search={filter as never}>
          {t('showProducts')}
        </Link>
      )
    },
  }
  const adopted: Column<Row> = {
    id: 'adopt',
    title: t('adopt.title'),
    width: '12%',
    cell: ({ image }) => (typeof image === 'string' ? <AdoptCopy image={image} /> : null),
  }
  return {
    columns: hasFilter ? [...columns, shown] : kind.name === FAILING_PICTURES ? [...columns, adopted] : columns,
    phoneLine: (row) =>
      names
        .slice(1)
        .filter((name) => !/product_id|_(?:at|since|until)$/.test(name))
        .map((name) => shownValue(name, row[name]))
        .join(' · '),
  }
}

const idsOf = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number')

function Products({ value, find }: { value: unknown; find: (id: number) => NamedProduct | undefined }) {
  const ids = idsOf(value)
  return (
    <span className={classes.products} data-pictured>
      {ids.slice(0, NAMED_MAX).map((id) => (
        <span key={id} className={classes.product}>
          <ProductThumbnail picture={find(id)?.picture ?? null} />
          <ProductLink id={id}>
            <FoundName id={id} found={find(id)} />
          </ProductLink>
        </span>
      ))}
      {ids.length > NAMED_MAX ? <span>{`+${ids.length - NAMED_MAX}`}</span> : null}
    </span>
  )
}

/** A value in words: references by the name that they have in the account. */
function useShownValue(): (name: string, value: unknown) => string {
  const { id } = useAccount()
  const gapWords = useGapWords()
  const storeOf = useStoreName()
  const reasonWords = useReasonWords()
  const { data: suppliers = [] } = useResources(id, 'suppliers')
  const { data: groups = [] } = useResources(id, 'groups')
  const shown = (name: string, value: unknown): string => {
    if (value === null || value === undefined) return '–'
    if (name === 'reasons' && Array.isArray(value)) return value.map((reason) => reasonWords(String(reason))).join(' ')
    if (Array.isArray(value)) return value.map((entry) => shown(name, entry)).join(', ')
    if (typeof value !== 'string') {
      const group = name === 'customer_group_id' ? groups.find((row) => row.id === value) : undefined
      return group?.name ?? JSON.stringify(value)
    }
    // texts of suppliers are shown as they are
    if (/^(?:stated|attribute|key|usual_key)$/.test(name)) return value
    if (name === 'store') return storeOf(value)
    if (name === 'supplier' || /^(?:usual_)?suppliers$/.test(name))
      return suppliers.find(({ code }) => code === value)?.name ?? value
    if (name === 'gap') return gapWords(value)
    return wordsOf(`values.${value}`) ?? value
  }
  return shown
}
