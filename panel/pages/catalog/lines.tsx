import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Request } from '../../api/client.ts'
import { useIsPhone } from '../../components/phone.ts'
import { ChevronDownIcon, ChevronRightIcon } from '../../design/icons.tsx'
import { ProductThumbnail } from '../../resources/product-line.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import type { Formats } from '../../words/format.ts'
import classes from './catalog.module.css'
import type { ListedProduct } from './columns.tsx'

// Variant groups as lines, which unfold to their products.

const ROUTE = 'GET /panel/api/accounts/{account_id}/products'
type Query = NonNullable<Request<typeof ROUTE>['query']>
export type Group = NonNullable<ListedProduct['group']>

/** A row of the list: a product, a group as one line, or a product below its group's line. */
export interface ShownLine extends ListedProduct {
  isVariant?: boolean
}

/** The most products of one answer. */
const PAGE = 200

export interface OpenGroups {
  isOpen: (group: Group) => boolean
  toggle: (group: Group) => void
}

/**
 * The rows, with the variants of unfolded groups.
 * @param query the filters of the list
 */
export function useLines(
  rows: readonly ListedProduct[],
  query: Query,
): { lines: readonly ShownLine[]; groups: OpenGroups; error: unknown } {
  const params = useAccountParams()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const shown = rows.flatMap(({ group }) => (group !== null && open.has(group.id) ? [group.id] : []))
  const read = useQueries({
    queries: shown.map((group) => ({
      queryKey: [ROUTE, params, query, group],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const variants: ListedProduct[] = []
        for (let after: string | null = ''; after !== null;) {
          const page: { data: ListedProduct[]; meta: { next_after: string | null } } = await call(ROUTE, {
            params,
            query: { ...query, group, per_page: PAGE, ...(after === '' ? {} : { after }) },
            signal,
          })
          variants.push(...page.data)
          after = page.meta.next_after
        }
        return variants
      },
    })),
  })
  const variantsOf = new Map(shown.map((group, i) => [group, read[i]?.data ?? []]))
  return {
    lines: rows.flatMap((row): ShownLine[] => {
      const variants = row.group === null ? [] : (variantsOf.get(row.group.id) ?? [])
      return [row, ...variants.map((variant) => ({ ...variant, isVariant: true }))]
    }),
    groups: useMemo(
      () => ({
        isOpen: ({ id }: Group) => open.has(id),
        toggle: ({ id }: Group) =>
          setOpen((before) =>
            before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
          ),
      }),
      [open],
    ),
    error: read.find(({ error }) => error !== null)?.error ?? null,
  }
}

/** The title of a group's line: unfold button, picture, title, and number of variants. */
export function GroupLine({ row, group, groups }: { row: ListedProduct; group: Group; groups: OpenGroups }) {
  const { t } = useTranslation('catalog')
  const account = useAccount()
  const isPhone = useIsPhone()
  const isOpen = groups.isOpen(group)
  const title = group.title ?? row.title ?? t('lines.untitled', { id: group.id })
  const Icon = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <span className={classes.line} data-pictured>
      <button
        type="button"
        className={classes.opener}
        aria-expanded={isOpen}
        aria-label={t('lines.open', { title })}
        onClick={() => groups.toggle(group)}
      >
        <Icon size={16} />
      </button>
      <ProductThumbnail picture={row.picture} />
      <Link
        className={classes.lineTitle}
        to="/$account/catalog/groups/$group"
        params={{ account: String(account.id), group: String(group.id) }}
        dir="auto"
      >
        {title}
      </Link>
      {isPhone ? null : (
        <small className={classes.quiet}>{t('lines.variants', { count: group.product_ids.length })}</small>
      )}
    </span>
  )
}

/** "10.00 – 12.00 €"; a single price if all are equal. */
export function priceRange({ price_from: from, price_to: to, currency }: Group, format: Formats): string {
  if (from === null || to === null || currency === null) return '–'
  return Number(from) === Number(to)
    ? format.money(from, currency)
    : `${format.money(from, currency)} – ${format.money(to, currency)}`
}
