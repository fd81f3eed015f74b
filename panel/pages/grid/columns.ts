import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  GRID_NAMES,
  hasLines,
  LONG_TEXTS,
  OPTIONAL_TEXTS,
  SHORT_TEXTS,
  type NameField,
  type TextField,
} from '../../../contract/product-fields.ts'
import { useStores } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { useResources } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { isReadOnly } from './read-only.ts'

export interface GridColumn {
  /** Its name in the address, and, if it has cells of its own, in the service. */
  name: string
  title: string
  kind: 'text' | 'quantity' | 'cost' | 'excluded' | 'price'
  width: number
  isNumber: boolean
  /** Its texts can have several lines. */
  isLong: boolean
  /** Its cells cannot be edited here, because the values are edited in a form on the product's page. */
  isReadOnly: boolean
  /** BCP 47; undefined: not localized. */
  locale: string | undefined
}

export const COLUMNS_MAX = 40

const NAME_WIDTH = 170
/** Widths of columns that are wider than others. */
const NAME_WIDTHS: Partial<Record<NameField, number>> = { category: 220 }

/** All columns that the account can have, and those that the address names. */
export function useGridColumns(named: string | undefined): {
  all: readonly GridColumn[]
  shown: readonly GridColumn[]
  isReady: boolean
  /** Whether there is a price list, whose prices can be a column; undefined: unknown yet. */
  hasPriceList: boolean | undefined
  error: unknown
} {
  const { t } = useTranslation(['grid', 'resources'])
  const account = useAccount()
  const choices = useRead('GET /panel/api/accounts/{account_id}/product-choices', { params: useAccountParams() })
  const settings = useSettings(account.id)
  const attributes = useResources(account.id, 'attributes')
  const lists = useResources(account.id, 'price-lists')
  const { stores, query } = useStores(account.id)
  const hasSlugs = settings.data?.data.additional_members.includes('slug') === true
  const all = useMemo(() => {
    const locales = choices.data?.data.locales ?? []
    const column = (name: string, title: string, width: number, more: Partial<GridColumn> = {}): GridColumn => ({
      name,
      title,
      width,
      kind: 'text',
      isNumber: false,
      isLong: false,
      isReadOnly: isReadOnly(name),
      locale: undefined,
      ...more,
    })
    const text = (field: TextField, locale: string, width: number, isLong = false) => {
      const title = t('columns.ofLocale', { field: t(`resources:fields.${field}`), locale })
      return column(`${field}.${locale}`, title, width, { locale, isLong })
    }
    return [
      ...SHORT_TEXTS.flatMap((field) => locales.map((locale) => text(field, locale, 300))),
      ...GRID_NAMES.map((field) => column(field, t(`resources:fields.${field}`), NAME_WIDTHS[field] ?? NAME_WIDTH)),
      column('quantity', t('columns.quantity'), 140, { kind: 'quantity', isNumber: true }),
      column('cost', t('columns.cost'), 130, { kind: 'cost', isNumber: true }),
      ...(lists.data ?? []).map(({ key, name, currency }) =>
        column(`price.${encodeURIComponent(key)}`, t('columns.price', { list: name, currency }), 150, {
          kind: 'price',
          isNumber: true,
        }),
      ),
      column('excluded', t('columns.excluded'), 190, { kind: 'excluded' }),
      ...LONG_TEXTS.flatMap((field) => locales.map((locale) => text(field, locale, 380, true))),
      ...OPTIONAL_TEXTS.flatMap((field) => locales.map((locale) => text(field, locale, 300, hasLines(field)))),
      ...(stores ?? []).map(({ slug, name }) =>
        column(`excluded.${slug}`, t('columns.excludedIn', { store: name }), 190, { kind: 'excluded' }),
      ),
      column('eans', t('columns.eans'), 300),
      ...(hasSlugs ? (stores ?? []) : []).map(({ slug, name }) =>
        column(`slug.${slug}`, t('columns.slug', { store: name }), 240),
      ),
      ...locales.map((locale) => column(`image_alts.${locale}`, t('columns.imageAlts', { locale }), 300, { locale })),
      ...(attributes.data ?? []).map(({ key }) =>
        column(`attribute.${encodeURIComponent(key)}`, t('columns.attribute', { key }), 160),
      ),
    ]
  }, [choices.data, stores, attributes.data, lists.data, hasSlugs, t])
  const locale = settings.data?.data.locale
  const shown = useMemo(() => {
    const names = named?.split(',') ?? [`title.${locale}`, 'manufacturer', 'category', 'quantity', 'cost']
    // by default, one price list is shown if there is any
    const price = named === undefined ? all.find(({ kind }) => kind === 'price')?.name : undefined
    return all.filter(({ name }) => names.includes(name) || name === price).slice(0, COLUMNS_MAX)
  }, [all, named, locale])
  return {
    all,
    shown,
    hasPriceList: lists.data === undefined ? undefined : lists.data.length > 0,
    isReady:
      choices.data !== undefined &&
      settings.data !== undefined &&
      attributes.data !== undefined &&
      lists.data !== undefined &&
      stores !== undefined,
    error: choices.error ?? settings.error ?? attributes.error ?? lists.error ?? query.error,
  }
}
