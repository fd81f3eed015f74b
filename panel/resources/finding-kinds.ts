import type { Answer } from '../api/client.ts'

// How urgent each kind of finding is, and where it is resolved: one table for the overview and the page of findings.

/** As tones of marks. bad: a person is needed; warn: look at it; off: not urgent; good: nothing to do. */
export type Urgency = 'bad' | 'warn' | 'off' | 'good'

/** Kinds that are counted for the overview. */
export type CountedKind = Answer<'GET /panel/api/accounts/{account_id}/finding-counts'>['data'][number]['kind']

export interface FindingKind {
  tone: Urgency
  /** The page, below the account's address, where it is resolved. By default the products concerned. */
  place?: string
  /** Search parameters of that page. */
  search?: Record<string, unknown>
  /**
   * Whether `place` shows everything that the page of findings would list, so that the overview links to it directly.
   */
  isWorkedOffThere?: true
}

const COUNTED = {
  offers_without_rate: { tone: 'bad', place: 'rates', isWorkedOffThere: true },
  stores_without_rate: { tone: 'bad', place: 'rates', isWorkedOffThere: true },
  tax_rates_missing: { tone: 'bad', place: 'tax-classes' },
  prices_held: { tone: 'warn', place: 'held-prices', isWorkedOffThere: true },
  prices_below_cost: { tone: 'warn' },
  tax_classes_unknown: { tone: 'warn', place: 'tax-classes' },
  contents_unread: { tone: 'warn', place: 'suppliers' },
  sales_doubtful: { tone: 'warn', place: 'suppliers' },
  list_prices_unshown: { tone: 'off', place: 'suppliers' },
  pictures_failing: { tone: 'warn' },
  ean_collisions: { tone: 'warn' },
  sku_collisions: { tone: 'warn', place: 'skus' },
  variants_alike: { tone: 'warn', place: 'suppliers' },
  variant_options_twice: { tone: 'warn', place: 'suppliers' },
  eans_invalid: { tone: 'off' },
  variants_without_options: { tone: 'off', place: 'suppliers' },
  values_unread: { tone: 'off', place: 'attributes' },
  products_incomplete: { tone: 'off' },
  supplier_paths_unmapped: { tone: 'off', place: 'categories', search: { tab: 'paths' }, isWorkedOffThere: true },
} as const satisfies Readonly<Record<CountedKind, FindingKind>>

/** Kinds by their names on the page of findings. */
const LISTED: Readonly<Record<string, FindingKind>> = {
  ...COUNTED,
  /** What products lack in stores. */
  completeness_stores: COUNTED.products_incomplete,
  completeness_offers_stale: { tone: 'warn', place: 'suppliers' },
  completeness_suppliers_silent: { tone: 'warn', place: 'suppliers' },
  texts_from_any_locale: { tone: 'off' },
}
/** A kind that this panel does not know, of a newer service. */
const UNKNOWN: FindingKind = { tone: 'warn' }

/** A kind by its name; an unknown one is marked as needing a look. */
export const findingKind = (name: string): FindingKind => LISTED[name] ?? UNKNOWN

const URGENCIES: readonly Urgency[] = ['bad', 'warn', 'off', 'good']
/** Sorts by urgency, the most urgent first. */
export const byUrgency = (a: Urgency, b: Urgency): number => URGENCIES.indexOf(a) - URGENCIES.indexOf(b)

/** Gaps without which shops cannot sell a product. */
const NEEDED: readonly string[] = ['no_title', 'no_price']

/** How urgent the gaps of products in a store are. */
export const gapTone = (gaps: readonly string[]): Urgency =>
  gaps.some((gap) => NEEDED.includes(gap)) ? 'warn' : gaps.length > 0 ? 'off' : 'good'
