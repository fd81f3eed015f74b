import { isByLocale, isTextField, lengthMaxOf } from '../../../../contract/product-fields.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { Check } from '../../../input/check.ts'
import { readEan } from '../../../input/ean.ts'
import { readAltsOfLocale } from '../../../input/image-alts.ts'
import { readLocaleForm } from '../../../input/locale.ts'
import { readEach } from '../../../input/list.ts'
import { readName } from '../../../input/product-name.ts'
import { readSku } from '../../../input/text.ts'
import { readUrl } from '../../../input/url.ts'
import type { AttributeOverrideRow, OverrideRow } from './overrides.sql.ts'

// Validates what an owner sets on products. Fault names begin with the key by which the caller identifies a product.

export function checkSku(check: Check, name: string, sku: string | null): void {
  if (sku !== null) check.take(name, readSku(sku, LIMITS.skuLengthMax), sku)
}

/** Validates an EAN. @returns its digits; null stays null. */
export function checkEan<T extends string | null>(check: Check, name: string, ean: T): T | string {
  return ean === null ? ean : check.take(name, readEan(ean), ean)
}

/** Checks an override; faults are named `title.pl`, `manufacturer`, `images.3`, `image_alts.pl.URL`. @returns its stored form. */
export function checkOverride<T extends Omit<OverrideRow, 'productId'>>(check: Check, at: string, row: T): T {
  const { field, locale, value } = row
  if (isByLocale(field)) {
    const name = `${at}${field}.${locale.slice(0, 40)}`
    const text = value === null ? null : checkLocal(check, name, field, value)
    // only the form is checked for a removal: the stored locale may be one that only earlier releases accepted
    const place = value === null ? check.take(name, readLocaleForm(locale), locale) : check.locale(name, locale)
    return { ...row, locale: place, value: text }
  }
  const name = `${at}${field}`
  check.that(locale === '', name, 'has no locale')
  if (value === null) return { ...row, locale: '' }
  if (field === 'images') return { ...row, locale: '', value: checkImages(check, name, value) }
  return { ...row, locale: '', value: check.take(name, readName(field, value), value) }
}

function checkLocal(check: Check, name: string, field: OverrideRow['field'], value: string): string {
  if (isTextField(field)) return check.text(name, value, lengthMaxOf(field))
  return JSON.stringify(
    readAltsOfLocale(name, parsed(value), false, (fault) => check.that(false, fault.name, fault.reason)),
  )
}

/** Checks a JSON array of image URLs. @returns its canonical form, so that equal lists are equal text. */
function checkImages(check: Check, name: string, text: string): string {
  const urls = parsed(text)
  if (!Array.isArray(urls)) {
    check.that(false, name, 'must be a list of URLs')
    return text
  }
  return JSON.stringify(
    readEach(name, urls, LIMITS.imagesPerProductMax, readUrl, (fault) => check.that(false, fault.name, fault.reason)),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Checks an attribute override; faults: `attributes.color.pl`, `attributes.color`. @returns its stored form. */
export function checkAttributeOverride<T extends Omit<AttributeOverrideRow, 'productId'>>(
  check: Check,
  at: string,
  row: T,
): T {
  const { key, locale, value } = row
  const name = `${at}attributes.${key.slice(0, 40)}${locale === '' ? '' : `.${locale.slice(0, 40)}`}`
  check.key(name, key, LIMITS.attributeKeyLengthMax)
  const text = value === null ? null : check.text(name, value, LIMITS.attributeValueLengthMax)
  const place =
    locale === '' ? '' : value === null ? check.take(name, readLocaleForm(locale), locale) : check.locale(name, locale)
  return { ...row, locale: place, value: text }
}
