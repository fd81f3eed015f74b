import type { Completeness } from '../../shelf/findings/completeness.ts'
import { reasonsByCount } from '../../images/adoption/adopt.ts'
import type { Findings } from '../../shelf/findings/findings.ts'

const SHOWN = 20

/** Findings as text for a terminal. */
export function findingsText(findings: Findings): string {
  const section = <Row>(title: string, rows: readonly Row[], line: (row: Row) => string): string[] => [
    `${title}: ${rows.length === 0 ? 'none' : rows.length}`,
    ...rows.slice(0, SHOWN).map((row) => `  ${line(row)}`),
    ...(rows.length > SHOWN ? [`  … and ${rows.length - SHOWN} more; --json lists them`] : []),
  ]
  return [
    ...completenessLines(findings.completeness),
    ...section(
      'EANs on several products',
      findings.eanCollisions,
      (row) => `${row.gtin}: products ${row.productIds.join(', ')}`,
    ),
    ...section(
      'EANs with a wrong length or check digit',
      findings.eansInvalid,
      (row) => `${row.ean}: product ${row.productId}`,
    ),
    ...section(
      'SKUs of several products',
      findings.skuCollisions,
      (row) => `${row.sku} in store ${row.storeId}: products ${row.productIds.join(', ')}`,
    ),
    ...section(
      'Offers without an exchange rate',
      findings.offersWithoutRate,
      (row) =>
        `${row.offers} of supplier ${row.supplierId} in ${row.currency}; set it with: shelfwire rate set ${row.currency}=…`,
    ),
    ...section(
      'Texts from any other locale',
      findings.textsFromAnyLocale,
      (row) => `${row.field} of product ${row.productId} in store ${row.storeId}`,
    ),
    ...section(
      'Variants with the same options',
      findings.variantsAlike,
      (row) =>
        `products ${row.productIds.join(', ')} in group ${row.key} of supplier ${row.supplierId}: ${Object.entries(
          row.options,
        )
          .map(([key, value]) => `${key} ${value}`)
          .join(', ')}`,
    ),
    ...section(
      'Variants without options',
      findings.variantsWithoutOptions,
      (row) =>
        `product ${row.productId} in group ${row.key} of supplier ${row.supplierId}${row.missing.length === 0 ? '' : `: no ${row.missing.join(', ')}`}`,
    ),
    ...section(
      'Options that a group has twice',
      findings.variantOptionsTwice,
      (row) =>
        `"${row.key}" of ${supplierList(row.supplierIds)} and "${row.usualKey}" of ${supplierList(row.usualSupplierIds)} in group ${row.groupId} (products ${first(row.productIds, row.productIds.length)}); use one key in their mappings`,
    ),
    ...section(
      'Attributes with values that their type does not understand',
      findings.valuesUnread,
      ({ key, type, offers, examples }) =>
        `${key} (${type}): ${offers} offers, such as ${examples
          .map(({ stated, productId, reason }) => `"${stated}" of product ${productId} (${reason})`)
          .join(', ')}`,
    ),
    ...section(
      'Prices below cost',
      findings.pricesBelowCost,
      (row) =>
        `product ${row.productId}, store ${row.storeId}, group ${row.groupId}: ${row.priceWithoutTax} of ${row.baseCost} ${row.currency} without tax${row.priceList === null ? '' : `, by the price list ${row.priceList}`}`,
    ),
    ...section(
      'List prices that no price shows',
      findings.listPricesUnshown,
      (row) =>
        `${row.supplierId === null ? 'you' : `supplier ${row.supplierId}`}: ${row.products} products (${first(row.productIds, row.products)})`,
    ),
    ...section(
      'Held prices',
      findings.pricesHeld,
      (row) =>
        `product ${row.productId}, store ${row.storeId}, group ${row.groupId}: ${row.shownPrice} shown, ${row.wantedPrice} ${row.currency} wanted`,
    ),
    ...section(
      'Pictures whose source fails, shown by our copies',
      findings.picturesFailing,
      (row) =>
        `${row.url}: ${row.looks} looks since ${row.failedSince.toISOString().slice(0, 10)} (${reasonsByCount(row.reasons).join(', ')}); kept until ${row.keptUntil.toISOString().slice(0, 10)}, or adopt it with: shelfwire images adopt`,
    ),
  ].join('\n')
}

const FIRST_SHOWN = 5

const supplierList = (supplierIds: readonly number[]) =>
  supplierIds.map((supplierId) => (supplierId === 0 ? 'you' : `supplier ${supplierId}`)).join(', ')

/** Lines about incomplete products and offers; none if everything is complete. */
function completenessLines({ stores, offersStale, suppliersSilent }: Completeness): string[] {
  return [
    ...stores.map(({ storeId, products, gaps }) => {
      const lacking = gaps
        .filter((row) => row.products > 0)
        .map((row) => `${row.products} ${GAP_WORDS[row.gap]} (${first(row.productIds, row.products)})`)
      return `Store ${storeId}, of ${products} products: ${lacking.length === 0 ? 'all are complete' : lacking.join('; ')}`
    }),
    ...offersStale.map(
      ({ supplierId, offers, first: named }) =>
        `Offers of supplier ${supplierId} whose rows could not be read, which keep what they had: ${offers} (${first(
          named.map(({ sku }) => sku),
          offers,
        )})`,
    ),
    ...suppliersSilent.map(
      ({ supplierId, silentDaysMax, heardAt }) =>
        `Supplier ${supplierId} is silent for more than ${silentDaysMax} days${heardAt === null ? '' : `, since ${heardAt.toISOString().slice(0, 10)}`}`,
    ),
  ]
}

const GAP_WORDS = {
  no_title: 'without a title',
  no_image: 'without an image',
  no_category: 'without a category',
  no_price: 'without a price',
  price_zero: 'with a price of 0',
} as const

const first = (named: readonly (string | number)[], all: number) =>
  named.slice(0, FIRST_SHOWN).join(', ') + (all > FIRST_SHOWN ? ', …' : '')
