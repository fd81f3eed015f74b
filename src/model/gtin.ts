/** Longest EAN that is stored, valid or not: a GTIN-14 is the longest kind. */
export const EAN_DIGITS_MAX = 14

/**
 * The GTIN of an EAN, padded to 14 digits so that the EAN-8, UPC-A, EAN-13 and GTIN-14 of one article compare equal; null
 * when the length or the check digit (GS1 General Specifications, modulo 10) is wrong. Only valid GTINs match offers.
 */
export function gtinOf(ean: string): string | null {
  if (!/^(?:\d{8}|\d{12,14})$/.test(ean)) return null
  const digits = ean.padStart(14, '0')
  let sum = 0
  for (let i = 0; i < 13; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 3 : 1)
  const isAllZero = /^0+$/.test(digits)
  return !isAllZero && (10 - (sum % 10)) % 10 === Number(digits[13]) ? digits : null
}

/**
 * Ranges of GTINs, in 14 digits, that GS1 gives to nobody: numbers for use within a company or a region (2…, 02, 04, and as
 * EAN-8 0… and 2…), and coupons and refund receipts (05, 98, 99). Whoever uses them means an article of his own by them.
 * Also read by PostgreSQL.
 */
export const RESTRICTED_GTIN = '^[0-9](2|0[245]|9[89]|00000[02])'

const restricted = new RegExp(RESTRICTED_GTIN)

/** Whether a GTIN, padded by gtinOf, is of a restricted range, so that two suppliers may use it for different articles. */
export function isRestrictedGtin(gtin: string): boolean {
  return restricted.test(gtin)
}

/** The GTIN by which an EAN identifies one article everywhere; null where it does not. */
export function joiningGtinOf(ean: string): string | null {
  const gtin = gtinOf(ean)
  return gtin === null || isRestrictedGtin(gtin) ? null : gtin
}
