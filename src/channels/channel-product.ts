import type { ContentUnit } from '../../contract/content-units.ts'
import type { DimensionField } from '../../contract/product-fields.ts'
import { minorDigits } from '../model/money.ts'
import { fillLink } from './link.ts'
import { cleanText, plainText } from './plain-text.ts'

/** A product object as it is served; numbers are kept as text, so that amounts stay exact. */
export interface ServedProduct {
  id: string
  sku: string | null
  ean: string | null
  title: string | null
  description: string | null
  manufacturer: string | null
  images: string[]
  mpn?: string
  condition?: string
  weight?: string
  dimensions?: Partial<Record<DimensionField, string>>
  group?: { id: string }
  categories?: { path: string }[]
  excluded: boolean
  net_content?: string
  prices: {
    customer_group_id: string
    computed_price: string
    currency: string
    compare_at_price?: string
    tiers?: { quantity: string; price: string }[]
    lowest_price_30_days?: string
    sale_begins_on?: string
    sale_ends_on?: string
    tax_included?: boolean
    tax_rate?: string
    tax_class?: string
    unit_price?: { value: string; unit: ContentUnit; reference_quantity: string }
  }[]
  stock: string
}

/** Whether a CSV file has each group of columns that was added later: files that were created before do not get them. */
export type LaterColumns = Readonly<Record<'listPrices' | 'sales' | 'tiers' | 'unitPrices' | 'tax', boolean>>

/** What the formats need to know about the channel. */
export interface ChannelScope {
  groupId: number
  linkTemplate: string | null
  columns: LaterColumns
  /** The account's time zone (IANA name), by whose days sales begin and end. */
  timeZone: string
}

/** A product as channel files show it: every text on one line, without markup and without characters that XML forbids. */
export interface ChannelProduct {
  id: string
  sku: string | null
  ean: string | null
  title: string
  /** Empty if there is none. */
  description: string
  manufacturer: string | null
  /** The manufacturer's part number. */
  mpn: string | null
  condition: string | null
  /** In kilograms. */
  weight: string | null
  /** In centimetres; only those that are known. */
  dimensions: Partial<Record<DimensionField, string>>
  /** The id of its variant group, which all variants share. */
  groupId: string | null
  /** Names of the most specific of the account's categories and those above it, joined by ` > `. */
  category: string | null
  /** Decimal text with all minor digits of the currency. */
  price: string
  /** In the form of `price`, and above it; null if there is none. */
  compareAtPrice: string | null
  /** Prices from a quantity on, in the form of `price`, ordered by rising quantity. */
  tiers: { quantity: string; price: string }[]
  /**
   * Of a sale: the lowest price in the 30 days before it, in the form of `price`, and its first and last day, `YYYY-MM-DD`. null: unknown, or there
   * is no sale.
   */
  lowestPrice30Days: string | null
  saleBeginsOn: string | null
  saleEndsOn: string | null
  currency: string
  /** null if the store's prices do not state tax. */
  isTaxIncluded: boolean | null
  /** In percent, such as `5.5`; null if unknown. */
  taxRate: string | null
  /** Key of the product's tax class; null if it has none. */
  taxClass: string | null
  /** Such as `6 x 0.33 l`. */
  netContent: string | null
  /** null if there is none. `value` is in the form of `price`; `quantity` is decimal text. */
  unitPrice: { value: string; quantity: string; unit: ContentUnit } | null
  /** Whole number as text. */
  stock: string
  link: string | null
  images: string[]
}

/** Parses a product object as it is served. */
export function servedProduct(json: string): ServedProduct {
  const asText = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  return JSON.parse(json, asText) as ServedProduct
}

/**
 * Converts a product for channel files; null if it is not to be sold there: it is excluded, has no title, or has no price for the channel's group.
 */
export function channelProductOf(product: ServedProduct, scope: ChannelScope): ChannelProduct | null {
  const price = product.prices.find((entry) => entry.customer_group_id === String(scope.groupId))
  const title = cleanText(product.title ?? '')
  if (product.excluded || price === undefined || title === '') return null
  return {
    id: product.id,
    sku: textOrNull(product.sku),
    ean: textOrNull(product.ean),
    title,
    description: plainText(product.description ?? ''),
    manufacturer: textOrNull(product.manufacturer),
    mpn: textOrNull(product.mpn ?? null),
    condition: textOrNull(product.condition ?? null),
    weight: product.weight ?? null,
    dimensions: product.dimensions ?? {},
    groupId: product.group?.id ?? null,
    category: textOrNull(product.categories?.[0]?.path ?? null),
    price: withMinorDigits(price.computed_price, price.currency),
    compareAtPrice:
      price.compare_at_price === undefined ? null : withMinorDigits(price.compare_at_price, price.currency),
    tiers: (price.tiers ?? []).map(({ quantity, price: of }) => ({
      quantity,
      price: withMinorDigits(of, price.currency),
    })),
    lowestPrice30Days:
      price.lowest_price_30_days === undefined ? null : withMinorDigits(price.lowest_price_30_days, price.currency),
    saleBeginsOn: price.sale_begins_on ?? null,
    saleEndsOn: price.sale_ends_on ?? null,
    currency: price.currency,
    isTaxIncluded: price.tax_included ?? null,
    taxRate: price.tax_rate ?? null,
    taxClass: textOrNull(price.tax_class ?? null),
    netContent: product.net_content ?? null,
    unitPrice:
      price.unit_price === undefined
        ? null
        : {
            value: withMinorDigits(price.unit_price.value, price.currency),
            quantity: price.unit_price.reference_quantity,
            unit: price.unit_price.unit,
          },
    stock: product.stock,
    link: fillLink(scope.linkTemplate, product),
    images: product.images.map((url) => cleanText(url).replaceAll(' ', '%20')),
  }
}

function textOrNull(text: string | null): string | null {
  const clean = cleanText(text ?? '')
  return clean === '' ? null : clean
}

/** Formats `20` EUR as `20.00`: payloads have no trailing zeros, but readers of channel files expect them. */
function withMinorDigits(amount: string, currency: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const digits = minorDigits(currency)
  const padded = fraction.padEnd(digits, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}
