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

/** What was found for each field that is the same in every store; null where no source has a value. */
export interface SharedFields extends Readonly<Record<NameField, Found<string> | null>> {
  category: FoundCategory | null
  ean: Found<string> | null
  images: Found<readonly string[]> | null
}

/** Names that are shown as they are stated; a category is mapped to the account's, of contents those count that are understood. */
const PLAIN_NAMES = NAME_FIELDS.filter(
  (field) => field !== 'category' && field !== 'net_content' && field !== 'unit_price_reference',
)

/** What is the same for a product in every store. Both `resolve` and `explain` start from it. */
export interface Basis {
  /** Offers that compete, best first. */
  ranked: readonly Candidate[]
  stock: number
  cost: Cost | null
  /** Filled while stores are resolved one after the other. */
  made: MadePrices
  /** Offers of the account's suppliers in the general source order. */
  sources: readonly OfferInput[]
  /** Fields that are the same in every store; the texts, which follow the store's locale, are found per store. */
  fields: SharedFields
  /** As it is stated; which prices show it is found per store. */
  listPrice: StatedListPrice | null
  /** As it is stated, in force or not. */
  sale: StatedSale | null
  /** The tax class; null where the account has none for the product. */
  taxClass: FoundTaxClass | null
  /** Its rates today, by country. */
  taxOf: TaxOf
  /** What the owner says of tax in its costs, a country or `none`; null: nothing. */
  ownCostTax: string | null
  /** What is in it; null where nothing says so. */
  measured: Measured | null
  /** The pictures of `fields.images`, each with its state. */
  images: readonly ResolvedImage[]
  /** What the payload names of them. */
  shownImages: readonly string[]
  sku: string | null
  facts: Facts
}

/** A deleted supplier counts nowhere from that moment on, although its offers are only removed step by step. */
const countedOffers = ({ suppliers }: CompiledAccount, { offers }: ProductInputs) =>
  offers.filter((offer) => suppliers.has(offer.supplierId))

/** Of a basis what says which stores list the product, and of whom they ask its texts: the rest takes several times as long to find. */
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
  // of the source of its price
  fields.sale_begins_on = sale?.beginsOn ?? null
  fields.sale_ends_on = sale?.endsOn ?? null
  const images = resolveImages(account.imageBase, product.images, fields.images?.value ?? [])
  // costs may have tax in them, whose rate is that of the class
  const taxClass = findTaxClass(compiled.tax, fields.tax_class, fields.category?.own ?? null)
  const taxOf: TaxOf = (country) => rateIn(compiled.tax, taxClass, country)
  const costTax = findName('cost_tax', product.overrides, [])
  const ownCostTax = costTax?.value ?? null
  const ranked = rankOffers(offers, suppliers, account.currency, money, taxOf, ownCostTax)
  const best = ranked[0]
  // else of the offer whose cost is used: each says it of its own
  fields.cost_tax = costTax ?? findName('cost_tax', [], best === undefined ? [] : [best.offer])
  const listPrice = findListPrice(compiled, fields.list_price, product.overrides, sources)
  // of the source of the list price
  fields.list_price_tax = listPrice?.statedTax ?? null
  const cost = baseCost(product.ownStock, best, account.currency)
  const stock = resolveStock(product.ownStock, best)
  return {
    ranked,
    stock,
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
      stock,
    }),
  }
}

/** The exported SKU: by the account's pattern, else the product's own key. */
export function skuOf(
  compiled: CompiledAccount,
  product: ProductInputs,
  sources: readonly OfferInput[],
  { ean, manufacturer, category }: SharedFields,
  isTraced: boolean,
): ReturnType<typeof buildSku> {
  if (compiled.skuPattern === null) return { sku: product.sku, missing: null, steps: [] }
  // by source order, not from the best offer: a key must not change with the stock
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
