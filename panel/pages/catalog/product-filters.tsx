import { useTranslation } from 'react-i18next'
import { useStores } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { Filters } from '../../components/filters.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { GAPS, MOVES, NO_FILTERS, SINCE, type CatalogSearch } from './search.ts'
import { useReasonWords } from '../../words/reasons.ts'

/** The list's filters as chips. */
export function ProductFilters({
  search,
  change,
}: {
  search: CatalogSearch
  change: (changes: Partial<CatalogSearch>) => void
}) {
  const { t } = useTranslation('catalog')
  const { stores = [] } = useStores(useAccount().id)
  const choices = useRead('GET /panel/api/accounts/{account_id}/product-choices', { params: useAccountParams() })
  const { suppliers = [], categories = [], reasons = [] } = choices.data?.data ?? {}
  const reasonWords = useReasonWords()
  const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
  const among = (name: string, values: readonly string[]) =>
    values.map((value) => ({ value, label: t(`${name}.${value}` as never) as string }))
  return (
    <Filters
      filters={[
        {
          name: 'store',
          label: t('filters.store'),
          value: search.store,
          options: stores.map(({ slug, name }) => ({ value: slug, label: name })),
        },
        {
          name: 'category',
          label: t('filters.category'),
          value: search.category,
          options: plain(categories),
          isText: true,
        },
        {
          name: 'manufacturer',
          label: t('filters.manufacturer'),
          value: search.manufacturer,
          options: [],
          isText: true,
        },
        {
          name: 'supplier',
          label: t('filters.supplier'),
          value: search.supplier === undefined ? undefined : String(search.supplier),
          options: suppliers.map(({ id, name }) => ({ value: String(id), label: name })),
        },
        {
          name: 'excluded',
          label: t('filters.excluded'),
          value: search.excluded,
          options: among('excluded', ['yes', 'no']),
        },
        {
          name: 'reason',
          label: t('filters.reason'),
          value: search.reason,
          options: reasons.map((value) => ({ value, label: reasonWords(value) })),
        },
        {
          name: 'incomplete',
          label: t('filters.incomplete'),
          value: search.incomplete,
          options: among('incomplete', GAPS),
        },
        { name: 'stock', label: t('filters.stock'), value: search.stock, options: among('stock', ['in', 'out']) },
        {
          name: 'changed',
          label: t('filters.changed'),
          value: search.changed,
          options: among('changed', Object.keys(SINCE)),
        },
        ...(search.store === undefined
          ? []
          : [{ name: 'moved', label: t('filters.moved'), value: search.moved, options: among('moved', MOVES) }]),
      ]}
      clear={() => change(NO_FILTERS)}
      change={(name, value) => change({ [name]: name === 'supplier' && value !== undefined ? Number(value) : value })}
    />
  )
}
