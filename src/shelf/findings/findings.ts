import type { TextField } from '../../../contract/product-fields.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { endangeredCopies, type EndangeredCopy } from '../../images/adoption/adopt.ts'
import { UNSEEN_CHARACTERS } from '../../model/blank.ts'
import { localeChain } from '../../model/locale.ts'
import { LIMITS } from '../../platform/limits.ts'
import { unreadContents, type UnreadContent } from './content-findings.ts'
import { findCompleteness, type Completeness } from './completeness.ts'
import { holdsAfter } from '../payloads/price-holds.sql.ts'
import { eanCollisions, eansInvalid, offersWithoutRate, skuCollisions, textsFromAnyLocale } from './findings.sql.ts'
import { priceFindings } from './price-findings.ts'
import type { PriceBelowCost, UnshownListPrices } from './price-findings.sql.ts'
import { taxFindings, type MissingTaxRate, type UnknownTaxClass } from './tax-findings.ts'
import { doubtfulSales, type DoubtfulSale } from './sale-findings.ts'
import { unreadValues, type UnreadValues } from './unread-values.ts'
import { indistinctVariants, type AlikeVariants, type VariantWithoutOptions } from './variant-findings.sql.ts'
import { duplicateOptions, type OptionTwice } from './variant-option-keys.sql.ts'

/** What an account's owner should look at; each list has the first LIMITS.findingsMax entries. */
export interface Findings {
  /** What products, offers and suppliers lack. */
  completeness: Completeness
  /** GTINs that several products have: merge the products, or correct the supplier's data. */
  eanCollisions: { gtin: string; productIds: number[] }[]
  /** EANs with a wrong length or check digit. */
  eansInvalid: { ean: string; productId: number; supplierId: number; supplierSku: string }[]
  /** SKUs that several products of one store export. */
  skuCollisions: { storeId: number; sku: string; productIds: number[] }[]
  /** Offers that do not compete because an exchange rate is missing. */
  offersWithoutRate: { supplierId: number; currency: string; offers: number }[]
  /** Texts in none of a store's languages, which it shows because the account allows any locale. */
  textsFromAnyLocale: { productId: number; storeId: number; field: TextField }[]
  /** Products of one group of variants for which a supplier states the same options. */
  variantsAlike: AlikeVariants[]
  /** Products for which a supplier states no options, or not all that it states for others of their group. */
  variantsWithoutOptions: VariantWithoutOptions[]
  /** Options that a group has twice because their keys are spelled differently. */
  variantOptionsTwice: OptionTwice[]
  /** Attributes for which suppliers state values that the attribute's type cannot read. */
  valuesUnread: UnreadValues[]
  /** Stores and suppliers for which a tax rate is missing. */
  taxRatesMissing: MissingTaxRate[]
  /** Tax classes that offers name and that do not exist. */
  taxClassesUnknown: UnknownTaxClass[]
  /** Contents that offers state and that cannot be read. */
  contentsUnread: UnreadContent[]
  /** Sales that are probably not meant as they are stated. */
  salesDoubtful: DoubtfulSale[]
  /** Prices that clients read and that are below cost once tax is taken off. */
  pricesBelowCost: PriceBelowCost[]
  /** List prices that no price shows. */
  listPricesUnshown: UnshownListPrices[]
  /** Prices that jumped and wait to be confirmed. */
  pricesHeld: {
    productId: number
    storeId: number
    groupId: number
    currency: string
    shownPrice: string
    wantedPrice: string
    heldAt: Date
  }[]
  /** Copies of pictures whose source has been failing; they will be left out of payloads unless they are adopted. */
  picturesFailing: EndangeredCopy[]
}

/** Finds what the owner should decide on or have corrected. */
export async function findFindings(reader: Reader, accountId: number): Promise<Findings> {
  const limit = LIMITS.findingsMax
  const [
    completeness,
    collisions,
    invalid,
    skus,
    rates,
    texts,
    variants,
    twice,
    unread,
    held,
    copies,
    tax,
    contents,
    sales,
    prices,
  ] = await Promise.all([
    findCompleteness(reader, accountId),
    eanCollisions(reader, accountId, limit),
    eansInvalid(reader, accountId, limit),
    skuCollisions(reader, accountId, limit),
    offersWithoutRate(reader, accountId),
    foreignTexts(reader, accountId, limit),
    indistinctVariants(reader, accountId, limit),
    duplicateOptions(reader, accountId, limit),
    unreadValues(reader, accountId, limit),
    holdsAfter(reader, accountId, { productId: 0, storeId: 0, groupId: 0 }, limit),
    endangeredCopies(reader, accountId),
    taxFindings(reader, accountId, limit),
    unreadContents(reader, accountId, limit),
    doubtfulSales(reader, accountId, limit),
    priceFindings(reader, accountId, limit),
  ])
  return {
    completeness,
    eanCollisions: [...collisions],
    eansInvalid: [...invalid],
    skuCollisions: [...skus],
    offersWithoutRate: [...rates],
    textsFromAnyLocale: texts,
    variantsAlike: variants.alike,
    variantsWithoutOptions: variants.withoutOptions,
    variantOptionsTwice: [...twice],
    valuesUnread: unread,
    taxRatesMissing: tax.ratesMissing,
    taxClassesUnknown: tax.classesUnknown,
    contentsUnread: contents,
    salesDoubtful: sales,
    pricesBelowCost: prices.belowCost,
    listPricesUnshown: prices.listPricesUnshown,
    pricesHeld: held.map(({ productId, storeId, groupId, currency, shownPrice, wantedPrice, heldAt }) => ({
      productId,
      storeId,
      groupId,
      currency,
      shownPrice,
      wantedPrice,
      heldAt,
    })),
    picturesFailing: copies,
  }
}

async function foreignTexts(reader: Reader, accountId: number, limit: number): Promise<Findings['textsFromAnyLocale']> {
  const account = await accountGet(reader, accountId)
  if (account?.anyLocale !== true) return []
  const texts: Findings['textsFromAnyLocale'] = []
  for (const { storeId, locale, isActive } of await storesList(reader, accountId)) {
    if (!isActive || texts.length >= limit) continue
    const chain = localeChain(locale, account.locale)
    texts.push(
      ...(await textsFromAnyLocale(reader, accountId, storeId, chain, UNSEEN_CHARACTERS, limit - texts.length)),
    )
  }
  return texts
}
