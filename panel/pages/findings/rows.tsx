import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useResources } from '../../api/resources.ts'
import type { Column } from '../../components/list.tsx'
import { When } from '../../components/when.tsx'
import { ProductLink } from '../../resources/product-link.tsx'
import { useStoreName } from '../../resources/store-name.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useGapWords } from '../../words/reasons.ts'
import classes from './findings.module.css'
import { filterOf, LACKING, type Kind, type Row } from './kinds.ts'
import { spoken, wordsOf } from './words.ts'

/** The columns of a kind's rows, and the line that stands for them on a phone. */
export interface RowColumns {
  columns: Column<Row>[]
  phoneLine: (row: Row) => string
}

/**
 * Members of the rows as columns, in the words of a merchant: stores, suppliers and groups by their names, products as links, moments as
 * relative times; and a link to the products that a row is about, where the list of products has a filter for them.
 */
export function useRowColumns(): (kind: Kind) => RowColumns {
  const { t } = useTranslation('findings')
  const { id } = useAccount()
  const shownValue = useShownValue()
  const format = useFormats()
  const cellOf = (name: string, value: unknown): ReactNode => {
    if (/^product_ids?$/.test(name)) return <Products value={value} />
    if (name.endsWith('_at') && typeof value === 'string') return <When at={value} />
    // counts; other numbers name something
    const isCount = (name === 'products' || name === 'offers') && typeof value === 'number'
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
  return (kind) => {
    const names = [...new Set(kind.rows.slice(0, 50).flatMap((row) => Object.keys(row)))]
      // the service names the first of them only
      .filter((name) => kind.name !== LACKING || name !== 'product_ids')
    const columns = names.map((name, i): Column<Row> => ({
      id: name,
      title: wordsOf(`members.${name}`) ?? spoken(name),
      isWide: i > 0 && !/product_id/.test(name),
      isNumber: name === 'products' || name === 'offers',
      sortBy: (row) => {
        const value = row[name]
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
    return {
      columns: hasFilter ? [...columns, shown] : columns,
      phoneLine: (row) =>
        names
          .slice(1)
          .filter((name) => !/product_id|_at$/.test(name))
          .map((name) => shownValue(name, row[name]))
          .join(' · '),
    }
  }
}

function Products({ value }: { value: unknown }) {
  const ids = (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number')
  return (
    <span className={classes.products}>
      {ids.map((id) => (
        <ProductLink key={id} id={id}>
          {id}
        </ProductLink>
      ))}
    </span>
  )
}

/** A value in words: what it names by its name, where the account has it. */
function useShownValue(): (name: string, value: unknown) => string {
  const { id } = useAccount()
  const gapWords = useGapWords()
  const storeOf = useStoreName()
  const { data: suppliers = [] } = useResources(id, 'suppliers')
  const { data: groups = [] } = useResources(id, 'groups')
  const shown = (name: string, value: unknown): string => {
    if (value === null || value === undefined) return '–'
    if (Array.isArray(value)) return value.map((entry) => shown(name, entry)).join(', ')
    if (typeof value !== 'string') {
      const group = name === 'customer_group_id' ? groups.find((row) => row.id === value) : undefined
      return group?.name ?? JSON.stringify(value)
    }
    if (name === 'store') return storeOf(value)
    if (name === 'supplier') return suppliers.find(({ code }) => code === value)?.name ?? value
    if (name === 'gap') return gapWords(value)
    return wordsOf(`values.${value}`) ?? value
  }
  return shown
}
