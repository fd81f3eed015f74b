import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { holdsAfter } from './price-holds.sql.ts'
import { eanCollisions, eansInvalid, offersWithoutRate, skuCollisions } from './findings.sql.ts'

/** What an account's owner should look at; each list holds the first LIMITS.findingsMax. */
export interface Findings {
  /** GTINs that several products carry: merge the products, or mend the feed. */
  eanCollisions: { gtin: string; productIds: number[] }[]
  /** EANs with a wrong length or check digit. */
  eansInvalid: { ean: string; productId: number; supplierId: number; supplierSku: string }[]
  /** SKUs that several products of one store export. */
  skuCollisions: { storeId: number; sku: string; productIds: number[] }[]
  /** Offers that do not compete for want of an exchange rate. */
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

/** Looks through an account for what its owner should decide or have mended. */
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
