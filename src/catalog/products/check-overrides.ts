import { isTextField, lengthMaxOf } from '../../../contract/product-fields.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Check } from '../../input/check.ts'
import type { AttributeOverrideRow, OverrideRow } from './overrides.sql.ts'

// The form of what an owner says of products. Names of faults begin with what the caller tells products apart by.

export function checkSku(check: Check, name: string, sku: string | null): void {
  if (sku !== null) check.text(name, sku, LIMITS.skuLengthMax)
}

export function checkEan(check: Check, name: string, ean: string | null): void {
  if (ean !== null) check.that(/^\d{1,14}$/.test(ean), name, 'must be 1 to 14 digits')
}

/** Checks an override; faults are named `title.pl`, `manufacturer`, `images.3`. @returns it as it is kept. */
export function checkOverride<T extends Omit<OverrideRow, 'productId'>>(check: Check, at: string, row: T): T {
  const { field, locale, value } = row
  if (isTextField(field)) {
    const name = `${at}${field}.${locale.slice(0, 40)}`
    if (value !== null) check.text(name, value, lengthMaxOf(field))
    return { ...row, locale: check.locale(name, locale) }
  }
  const name = `${at}${field}`
  check.that(locale === '', name, 'has no locale')
  if (value === null) return { ...row, locale: '' }
  if (field === 'images') return { ...row, locale: '', value: checkImages(check, name, value) }
  check.text(name, value, lengthMaxOf(field))
  return { ...row, locale: '' }
}

/** Checks a JSON array of image URLs. @returns it in the one spelling in which it is kept, so that equal lists are equal. */
function checkImages(check: Check, name: string, text: string): string {
  const urls = parsed(text)
  if (!Array.isArray(urls) || urls.length > LIMITS.imagesPerProductMax) {
    check.that(false, name, `must be a list of at most ${LIMITS.imagesPerProductMax} URLs`)
    return text
  }
  const seen = new Set<unknown>()
  for (const [i, url] of urls.entries()) {
    check.that(
      isImageUrl(url),
      `${name}.${i}`,
      `must be an absolute http or https URL of at most ${LIMITS.urlLengthMax} characters`,
    )
    check.that(!seen.has(url), `${name}.${i}`, 'stands twice')
    seen.add(url)
  }
  return JSON.stringify(urls)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether an address can stand in an owner's list of images. */
export function isImageUrl(url: unknown): boolean {
  // blanks and control characters, which URL would drop or take off, are kept by nobody who reads the address
  return (
    typeof url === 'string' &&
    url.length <= LIMITS.urlLengthMax &&
    url.isWellFormed() &&
    /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) &&
    URL.canParse(url)
  )
}

/** Checks an attribute override; faults are named `attributes.color.pl`, or `attributes.color` for every locale. @returns it as it is kept. */
export function checkAttributeOverride<T extends Omit<AttributeOverrideRow, 'productId'>>(
  check: Check,
  at: string,
  row: T,
): T {
  const { key, locale, value } = row
  const name = `${at}attributes.${key.slice(0, 40)}${locale === '' ? '' : `.${locale.slice(0, 40)}`}`
  check.text(name, key, LIMITS.attributeKeyLengthMax)
  if (value !== null) check.text(name, value, LIMITS.attributeValueLengthMax)
  return { ...row, locale: locale === '' ? '' : check.locale(name, locale) }
}
