/** The longest EAN that is stored, valid or not: GTIN-14 is the longest kind. */
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
 * A pattern of GTINs, in 14 digits, in ranges that GS1 assigns to nobody: numbers for use within a company or region (13
 * digits beginning with 2, 02 or 04, 8 digits beginning with 0 or 2), coupons and refund receipts (05, 98, 99). A UPC-A
 * of 12 digits becomes 13 with a leading 0. Companies use these numbers for articles of their own. PostgreSQL uses the
 * pattern as well.
 */
export const RESTRICTED_GTIN = '^[0-9](2|0[245]|9[89]|00000[02])'

const restricted = new RegExp(RESTRICTED_GTIN)

/** The GTIN of an EAN if it identifies the same article everywhere; otherwise null. */
export function joiningGtinOf(ean: string): string | null {
  const gtin = gtinOf(ean)
  return gtin === null || restricted.test(gtin) ? null : gtin
}
