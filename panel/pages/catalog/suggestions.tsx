import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { reading, useRead } from '../../api/read.ts'
import { useAccountParams } from '../../session/account.ts'
import classes from './catalog.module.css'
import { filterQuery, type CatalogSearch, type ProductFilter } from './search.ts'
import { suggestionsFor, type Suggestion } from './suggest.ts'

/** Filters that the search text may mean, with their number of products if it is known at once. */
export function Suggestions({
  search,
  filter,
  change,
}: {
  search: CatalogSearch
  /** The filters that are set, in the form of the service. */
  filter: ProductFilter
  change: (changes: Partial<CatalogSearch>) => void
}) {
  const { t } = useTranslation('catalog')
  const { t: shared } = useTranslation()
  const params = useAccountParams()
  const choices = useRead('GET /panel/api/accounts/{account_id}/product-choices', { params })
  const { search: typed = '' } = search
  const found = useMemo(() => {
    const { categories = [], suppliers = [] } = choices.data?.data ?? {}
    return typed === '' ? [] : suggestionsFor(typed, categories, suppliers)
  }, [typed, choices.data])
  const shown = found.filter(({ filter }) => search[filter] === undefined)
  const totals = useQueries({
    queries: shown.map((suggestion) => ({
      ...reading('GET /panel/api/accounts/{account_id}/products', {
        params,
        query: { ...filterQuery(filter), search: undefined, ...queryOf(suggestion), per_page: 1 },
      }),
    })),
  })
  if (shown.length === 0) return null
  return (
    <span className={classes.suggestions} role="group" aria-label={t('suggest.title')}>
      {shown.map((suggestion, i) => {
        const total = totals[i]?.data?.meta.total ?? null
        const name = t(`suggest.${suggestion.filter}`, { name: suggestion.label })
        return (
          <button
            key={`${suggestion.filter} ${suggestion.value}`}
            type="button"
            className={classes.suggestion}
            onClick={() =>
              change({ ...queryOf(suggestion), search: suggestion.rest === '' ? undefined : suggestion.rest })
            }
          >
            <span dir="auto">{name}</span>
            {total === null ? null : <small>{shared('products', { count: total })}</small>}
          </button>
        )
      })}
    </span>
  )
}

const queryOf = ({ filter, value, rest }: Suggestion): { category?: string; supplier?: number; search?: string } => ({
  ...(filter === 'category' ? { category: value } : { supplier: Number(value) }),
  ...(rest === '' ? {} : { search: rest }),
})
