import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  hasLines,
  isDimension,
  isInPayload,
  isOptional,
  LONG_TEXTS,
  NAME_FIELDS,
  OPTIONAL_TEXTS,
  SHORT_TEXTS,
  type NameField,
  type OptionalField,
} from '../../../contract/product-fields.ts'
import type { StoreProduct } from '../../api/catalog.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { useFieldNames } from '../../words/field-names.ts'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import { AttributeCell } from './attribute-cell.tsx'
import type { ProductExplanation } from './data.ts'
import { ATTRIBUTE, PRICE, SLUG, useMarks } from './marks.ts'
import classes from './product.module.css'
import { useUnitPriceWords } from './unit-price-words.tsx'
import { asCompared } from './as-compared.ts'
import { plainText } from './safe-html.ts'

/** A value of a product, which can differ between stores. */
export interface ComparedRow {
  /** Its name in the address, when the value is open. */
  key: string
  name: string
  /** The compared text. If it is equal in all stores, the row is not emphasized. */
  of: (product: StoreProduct) => string
  /** Only products with the same result are compared, because amounts in two currencies always differ. */
  within?: (product: StoreProduct) => string
  show?: (product: StoreProduct, why: ProductExplanation | undefined) => ReactNode
  /** No store has a value, as is usual for this field: the row is shown on request. */
  isEmpty?: boolean
  /** The source of the value. */
  mark: (why: ProductExplanation, locale: string) => string
}

/** The most characters of a description in a row; the full text is shown below. */
const GLIMPSE = 160

/** Fields whose row is shown even if the product has no value. */
const ALWAYS: readonly NameField[] = ['manufacturer', 'category']

/** The rows of the comparison, in their order. */
export function useComparedRows(
  products: readonly (StoreProduct | null)[],
  whys: readonly (ProductExplanation | undefined)[],
): ComparedRow[] {
  const { t } = useTranslation(['product', 'product-edit'])
  const fieldName = useFieldNames()
  const format = useFormats()
  const reasonWords = useReasonWords()
  const marks = useMarks()
  const listed = products.filter((product) => product !== null)
  // a product without a price has none in its payload, but its explanation has the reason
  const groups = [
    ...new Set([
      ...listed.flatMap((product) => product.prices.map((price) => price.customer_group)),
      ...whys.flatMap((why) => why?.prices.map((price) => price.group) ?? []),
    ]),
  ]
  // labels are in the language of the first store that has the attribute
  const attributes = [
    ...new Map(
      listed.toReversed().flatMap((product) => product.attributes.map(({ key, label }) => [key, label] as const)),
    ),
  ]
  const priceOf = (product: StoreProduct, group: string) =>
    product.prices.find((price) => price.customer_group === group)
  const shown = <F extends OptionalField>(fields: readonly F[]) => fields.filter((field) => !isMissing(listed, field))
  const nameIn = (product: StoreProduct, field: NameField) =>
    (isDimension(field)
      ? product.dimensions?.[field]
      : isInPayload(field)
        ? product[field]
        : whys[products.indexOf(product)]?.[field].value) ?? '–'
  return [
    {
      key: 'state',
      name: t('rows.state'),
      of: (product) => (product.excluded ? (product.exclusion_reason ?? 'excluded') : ''),
      show: (product) =>
        product.excluded ? (
          <StateMark tone="warn">{t('excluded', { reason: reasonWords(product.exclusion_reason ?? '') })}</StateMark>
        ) : (
          <StateMark tone="good">{t('exported')}</StateMark>
        ),
      mark: (why) => marks.ofState(why),
    },
    ...[...SHORT_TEXTS, ...LONG_TEXTS, ...shown(OPTIONAL_TEXTS)].map((field): ComparedRow => ({
      key: field,
      name: fieldName(field),
      of: (product) => product[field] ?? '',
      show: (product) =>
        hasLines(field) ? (
          <span dir="auto" className={`${classes.cut} ${classes.quiet} ${classes.glimpse}`}>
            {textOf(product[field] ?? '') || '–'}
          </span>
        ) : (
          <span dir="auto" className={classes.cut} title={product[field] ?? undefined}>
            {product[field] ?? '–'}
          </span>
        ),
      mark: (why, locale) => marks.ofField(why, field, locale),
    })),
    ...groups.map((group): ComparedRow => ({
      key: `${PRICE}${group}`,
      name: groups.length === 1 ? t('rows.price') : t('rows.priceOf', { group }),
      of: (product) => {
        const {
          computed_price: price,
          compare_at_price: compared,
          tiers,
          unit_price: unit,
        } = priceOf(product, group) ?? {}
        return JSON.stringify([price, compared, tiers, unit])
      },
      within: (product) => priceOf(product, group)?.currency ?? '',
      show: (product) => <PriceCell price={priceOf(product, group)} />,
      mark: (why) => marks.ofPrice(why, group),
    })),
    {
      key: 'cost',
      name: t('rows.cost'),
      of: (product) => `${product.prices[0]?.base_cost}`,
      within: (product) => product.prices[0]?.currency ?? '',
      show(product) {
        const [price] = product.prices
        return price === undefined ? '–' : format.money(price.base_cost, price.currency)
      },
      mark: (why) => marks.ofCost(why),
    },
    {
      key: 'stock',
      name: t('rows.stock'),
      of: (product) => String(product.stock),
      show: (product) => format.number(product.stock),
      mark: (why) => marks.ofStock(why),
    },
    { key: 'sku', name: 'SKU', of: (product) => product.sku ?? '–', mark: (why) => marks.ofSku(why) },
    ...(listed.every(({ slug }) => slug === undefined)
      ? []
      : [slugRow(t('product-edit:slug.name'), t('product-edit:slug.change'))]),
    {
      key: 'ean',
      name: 'EAN',
      of: (product) => product.ean ?? '–',
      mark: (why, locale) => marks.ofField(why, 'ean', locale),
    },
    ...NAME_FIELDS.filter((field) => !isOptional(field) || shown([field]).length > 0).map((field): ComparedRow => ({
      key: field,
      name: fieldName(field),
      of: (product) => nameIn(product, field),
      isEmpty: !ALWAYS.includes(field) && listed.every((product) => nameIn(product, field) === '–'),
      mark: (why, locale) => marks.ofField(why, field, locale),
    })),
    {
      key: 'images',
      name: fieldName('images'),
      of: (product) => product.images.join(' '),
      show: (product) => format.number(product.images.length),
      mark: (why, locale) => marks.ofField(why, 'images', locale),
    },
    ...attributes.map(([key, label]): ComparedRow => ({
      key: `${ATTRIBUTE}${key}`,
      name: label,
      of: (product) => product.attributes.find((attribute) => attribute.key === key)?.value ?? '–',
      show: (product, why) => (
        <AttributeCell attribute={product.attributes.find((attribute) => attribute.key === key)} why={why} />
      ),
      mark: (why, locale) => marks.ofAttribute(why, key, locale),
    })),
  ]
}

/** A price with its compare-at price, its tiers, and its unit price. */
function PriceCell({ price }: { price: StoreProduct['prices'][number] | undefined }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const perUnit = useUnitPriceWords()
  if (price === undefined) return '–'
  const shown = format.money(price.computed_price, price.currency)
  return (
    <>
      {shown}
      {price.compare_at_price === undefined ? null : (
        <>
          {' '}
          <s className={classes.quiet}>{format.money(price.compare_at_price, price.currency)}</s>
        </>
      )}
      {price.tiers?.map(({ quantity, price: of }) => (
        <div key={quantity} className={classes.quiet}>
          {t('why.tier', { quantity: format.number(quantity), price: format.money(of, price.currency) })}
        </div>
      ))}
      {price.unit_price === undefined ? null : (
        <div className={classes.quiet}>{perUnit(price.unit_price, price.currency)}</div>
      )}
    </>
  )
}

/** Only in accounts that have chosen the member `slug`. */
const slugRow = (name: string, mark: string): ComparedRow => ({
  key: SLUG,
  name,
  of: ({ slug }) => slug ?? '–',
  mark: () => mark,
})

/** Whether none of the products has an optional field, so that it has no row. */
export const isMissing = (products: readonly (StoreProduct | null)[], field: OptionalField): boolean =>
  products.every(
    (product) => product === null || (isDimension(field) ? product.dimensions?.[field] : product[field]) === undefined,
  )

/** The beginning of a description as plain text. */
function textOf(html: string): string {
  const plain = plainText(html.slice(0, GLIMPSE * 20))
  return plain.length > GLIMPSE ? `${plain.slice(0, GLIMPSE)} …` : plain
}

/** Whether a value differs between stores that list the product. */
export function differs(
  products: readonly StoreProduct[],
  { of, within = () => '' }: Pick<ComparedRow, 'of' | 'within'>,
): boolean {
  const kinds = new Set(products.map(within))
  return new Set(products.map((product) => `${within(product)} ${asCompared(of(product))}`)).size > kinds.size
}
