import { NAME_FIELDS, type NameField, type SourceField } from '../../contract/product-fields.ts'
import { buildSku } from '../model/sku-pattern.ts'
import { findCategory, type FoundCategory } from './content/category.ts'
import type { CompiledAccount } from './compile.ts'
import { factsOf, type AssortmentFacts, type Facts } from './rules/facts.ts'
import type { OfferInput, ProductInputs } from './inputs.ts'
import { baseCost, noPricesMade, type Cost, type MadePrices } from './prices/price.ts'
import { resolveImages, shownImages, type ResolvedImage } from './content/images.ts'
import { findListPrice, type StatedListPrice } from './prices/list-price.ts'
import { findSale, type StatedSale } from './prices/sale-price.ts'
import { rankOffers, type Candidate, type TaxOf } from './sourcing/sourcing.ts'
import { findEan, findImages, type Found } from './sourcing/sources.ts'
import { resolveStock } from './sourcing/stock.ts'
import { findTaxClass, rateIn, type FoundTaxClass } from './prices/tax.ts'
import { findName } from './content/text.ts'
import { findContent, measuredBy, type Measured } from './prices/unit-price.ts'

/** The source and value of each field that is the same in every store; null if no source has a value. */
export interface SharedFields extends Readonly<Record<NameField, Found<string> | null>> {
  category: FoundCategory | null
  ean: Found<string> | null
  images: Found<readonly string[]> | null
}

/** Names that are shown as stated. A category is mapped to the account's own, and contents count only if they can be read. */
const PLAIN_NAMES = NAME_FIELDS.filter(
  (field) => field !== 'category' && field !== 'net_content' && field !== 'unit_price_reference',
)

/** The part of resolving a product that is the same in every store. Both `resolve` and `explain` start from it. */
export interface Basis {
  /** Offers that compete, best first. */
  ranked: readonly Candidate[]
  stock: number
  cost: Cost | null
  /** Prices made so far, reused while stores are resolved one after the other. */
  made: MadePrices
  /** Offers of the account's suppliers in the general source order. */
  sources: readonly OfferInput[]
  /** Fields that are the same in every store; the texts, which follow the store's locale, are found per store. */
  fields: SharedFields
  /** The list price as stated; which prices show it is decided per store. */
  listPrice: StatedListPrice | null
  /** The sale as stated, in force or not. */
  sale: StatedSale | null
  /** The tax class; null if the account has none for the product. */
  taxClass: FoundTaxClass | null
  /** The rate of that class today, by country. */
  taxOf: TaxOf
  /** The country whose tax the owner says is in costs, or `none`; null: the owner does not say. */
  ownCostTax: string | null
  /** The net content and reference quantity for unit prices; null if nothing states them. */
  measured: Measured | null
  /** The pictures of `fields.images` with their states. */
  images: readonly ResolvedImage[]
  /** The picture URLs that the payload shows. */
  shownImages: readonly string[]
  sku: string | null
  facts: Facts
}

/** A deleted supplier's offers stop counting at once, although they are removed step by step. */
const countedOffers = ({ suppliers }: CompiledAccount, { offers }: ProductInputs) =>
  offers.filter((offer) => suppliers.has(offer.supplierId))

/**
 * The part of a basis that decides which stores list the product and where titles are taken from. The whole basis takes several times
 * as long.
 */
export function listingBasisOf(
  compiled: CompiledAccount,
  product: ProductInputs,
): Pick<Basis, 'sources'> & { facts: AssortmentFacts } {
  const { productId, overrides } = product
  const offers = countedOffers(compiled, product)
  const sources = compiled.sources.general(offers)
  const asked = (field: SourceField) => compiled.sources.of(field, sources)
  const manufacturer = findName('manufacturer', overrides, asked('manufacturer'))
  const category = findCategory(overrides, asked('category'), compiled.ownCategories)
  const supplierIds = offers.map(({ supplierId }) => supplierId)
  return { sources, facts: { productId, ...folded(compiled, manufacturer, category), supplierIds } }
}

const folded = (compiled: CompiledAccount, manufacturer: Found<string> | null, category: FoundCategory | null) => ({
  manufacturer: manufacturer === null ? null : compiled.foldName(manufacturer.value),
  category: category === null ? null : compiled.foldCategory(category.value),
})

export function basisOf(compiled: CompiledAccount, product: ProductInputs): Basis {
  const { account, money, suppliers } = compiled
  const offers = countedOffers(compiled, product)
  const sources = compiled.sources.general(offers)
  const asked = (field: SourceField) => compiled.sources.of(field, sources)
  const fields = {
    category: findCategory(product.overrides, asked('category'), compiled.ownCategories),
    ean: findEan(product.eans, asked('ean')),
    images: findImages(product.overrides, asked('images')),
    net_content: findContent('net_content', product.overrides, asked('net_content')),
    unit_price_reference: findContent('unit_price_reference', product.overrides, asked('unit_price_reference')),
  } as { -readonly [K in keyof SharedFields]: SharedFields[K] }
  for (const field of PLAIN_NAMES) fields[field] = findName(field, product.overrides, asked(field))
  const sale = findSale(compiled, fields.sale_price, product.overrides, sources)
  // days from the source of the sale price
  fields.sale_begins_on = sale?.beginsOn ?? null
  fields.sale_ends_on = sale?.endsOn ?? null
  const images = resolveImages(account.imageBase, product.images, fields.images?.value ?? [])
  // before costs, which may include tax at the rate of this class
  const taxClass = findTaxClass(compiled.tax, fields.tax_class, fields.category?.own ?? null)
  const taxOf: TaxOf = (country) => rateIn(compiled.tax, taxClass, country)
  const costTax = findName('cost_tax', product.overrides, [])
  const ownCostTax = costTax?.value ?? null
  const ranked = rankOffers(offers, suppliers, account.currency, money, taxOf, ownCostTax)
  const best = ranked[0]
  // otherwise from the offer whose cost is used, because each offer states it for its own cost
  fields.cost_tax = costTax ?? findName('cost_tax', [], best === undefined ? [] : [best.offer])
  const listPrice = findListPrice(compiled, fields.list_price, product.overrides, sources)
  // from the source of the list price
  fields.list_price_tax = listPrice?.statedTax ?? null
  const cost = baseCost(product.ownStock, best, account.currency)
  return {
    ranked,
    stock: resolveStock(product.ownStock, best),
    cost,
    made: noPricesMade(),
    sources,
    fields,
    listPrice,
    sale,
    taxClass,
    taxOf,
    ownCostTax,
    measured: measuredBy(fields.net_content, fields.unit_price_reference),
    images,
    shownImages: shownImages(images),
    sku: skuOf(compiled, product, sources, fields, false).sku,
    facts: factsOf(product, {
      ...folded(compiled, fields.manufacturer, fields.category),
      costSupplierId: cost?.supplierId ?? null,
      bestSupplierId: best?.supplier.supplierId ?? null,
      cost: cost === null ? null : money.convert(cost.amount, cost.currency, account.currency),
      offers,
    }),
  }
}

/** The exported SKU: by the account's pattern, or the product's own SKU without one. */
export function skuOf(
  compiled: CompiledAccount,
  product: ProductInputs,
  sources: readonly OfferInput[],
  { ean, manufacturer, category }: SharedFields,
  isTraced: boolean,
): ReturnType<typeof buildSku> {
  if (compiled.skuPattern === null) return { sku: product.sku, missing: null, steps: [] }
  // by source order, not from the best offer: a SKU must not change with the stock
  const offer = compiled.sources.of('sku', sources)[0]
  return buildSku(
    compiled.skuPattern,
    {
      id: product.productId,
      sku: product.sku,
      supplierCode: offer === undefined ? null : (compiled.suppliers.get(offer.supplierId)?.code ?? null),
      supplierSku: offer?.supplierSku ?? null,
      ean: ean?.value ?? null,
      manufacturer: manufacturer?.value ?? null,
      category: category?.value ?? null,
    },
    isTraced,
  )
}
