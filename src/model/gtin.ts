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
