import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { holdsAfter } from './price-holds.sql.ts'
import { eanCollisions, eansInvalid, offersWithoutRate, skuCollisions } from './findings.sql.ts'

/** What an account's owner should look at; each list has the first LIMITS.findingsMax entries. */
export interface Findings {
  /** GTINs that several products have: merge the products, or correct the supplier's data. */
  eanCollisions: { gtin: string; productIds: number[] }[]
  /** EANs with a wrong length or check digit. */
  eansInvalid: { ean: string; productId: number; supplierId: number; supplierSku: string }[]
  /** SKUs that several products of one store export. */
  skuCollisions: { storeId: number; sku: string; productIds: number[] }[]
  /** Offers that do not compete because an exchange rate is missing. */
  offersWithoutRate: { supplierId: number; currency: string; offers: number }[]
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
}

/** Finds what an account's owner should decide or have corrected. */
export async function findFindings(reader: Reader, accountId: number): Promise<Findings> {
  const limit = LIMITS.findingsMax
  const [collisions, invalid, skus, rates, held] = await Promise.all([
    eanCollisions(reader, accountId, limit),
    eansInvalid(reader, accountId, limit),
    skuCollisions(reader, accountId, limit),
    offersWithoutRate(reader, accountId),
    holdsAfter(reader, accountId, { productId: 0, storeId: 0, groupId: 0 }, limit),
  ])
  return {
    eanCollisions: [...collisions],
    eansInvalid: [...invalid],
    skuCollisions: [...skus],
    offersWithoutRate: [...rates],
    pricesHeld: held.map(({ productId, storeId, groupId, currency, shownPrice, wantedPrice, heldAt }) => ({
      productId,
      storeId,
      groupId,
      currency,
      shownPrice,
      wantedPrice,
      heldAt,
    })),
  }
}
