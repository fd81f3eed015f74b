import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/link-button.tsx'
import { useAccount } from '../../session/account.ts'
import type { CatalogSearch, ProductFilter } from './search.ts'
import type { Selection } from './selection.ts'

/** The most characters of IDs: proxies may refuse a longer address. */
const TEXT_MAX = 6_000

/** A link to a grid of the chosen products, whose address contains their IDs. */
export function GridLink({
  selection,
  filter,
  sort,
}: {
  selection: Selection
  filter: ProductFilter
  sort: CatalogSearch['sort']
}) {
  const { t } = useTranslation('catalog')
  const { id } = useAccount()
  const sent = selection.sent(filter)
  const ids = 'ids' in sent ? sent.ids : sent.except
  const text = idsText(ids)
  if (text.length > TEXT_MAX)
    return (
      <Button variant="default" size="compact-sm" disabled title={t('bulk.gridTooMany')}>
        {t('bulk.grid')}
      </Button>
    )
  const search =
    'ids' in sent
      ? { ids: text }
      : { ...filter, ...(sort === undefined ? {} : { sort }), ...(text === '' ? {} : { except: text }) }
  return (
    <LinkButton to={`/${id}/catalog/grid`} search={search} size="compact-sm">
      {t('bulk.grid')}
    </LinkButton>
  )
}

/** IDs in the order in which they were chosen, with ranges of consecutive ones: "12,14-20". */
export function idsText(ids: readonly number[]): string {
  const parts: [number, number][] = []
  for (const id of ids) {
    const last = parts.at(-1)
    if (last !== undefined && id === last[1] + 1) last[1] = id
    else parts.push([id, id])
  }
  return parts.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}
