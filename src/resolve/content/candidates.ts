import { isTextField, type NameField, type SourceField } from '../../../contract/product-fields.ts'
import { attributeValues, showValue } from './attributes.ts'
import { findCategory } from './category.ts'
import type { CompiledAccount, CompiledStore } from '../compile.ts'
import type { ProductInputs } from '../inputs.ts'
import { findEan, findImages, type Source } from '../sourcing/sources.ts'
import { findName, findText } from './text.ts'
import { must } from '../../platform/must.ts'

// The values that a field of a product could show in a store, in order of precedence. To avoid stating that order twice, the field is
// resolved as usual, its source is removed, and it is resolved again.

/** Fields that come from a single source. The SKU is made of several. */
export type CandidateField = Exclude<SourceField, 'sku'>

export interface Candidate {
  /** As the store would show it; null: an override hides the attribute. */
  value: string | readonly string[] | null
  /** The source's value if it differs from `value`. */
  stated: string | null
  source: Source
  /** Why the first candidate precedes it; null for the first, which is shown. */
  behind: Behind | null
}
/**
 * override: the owner's value precedes suppliers'; locale: another locale is looked in first; inactive: inactive suppliers come last;
 * order: another supplier comes first in the source order.
 */
export type Behind = 'override' | 'locale' | 'inactive' | 'order'

interface Look {
  value: string | readonly string[] | null
  stated: string | null
  source: Source
}

/**
 * At most `max` candidates, best first; null if the account has no such active store.
 * @param key of an attribute; unused for other fields.
 */
export function candidatesOf(
  compiled: CompiledAccount,
  product: ProductInputs,
  storeId: number,
  field: CandidateField,
  key: string,
  max: number,
): Candidate[] | null {
  const inStore = compiled.stores.find(({ store }) => store.storeId === storeId)
  if (inStore === undefined) return null
  const found: Look[] = []
  // offers of deleted suppliers do not count, as in basisOf
  let left: ProductInputs = {
    ...product,
    offers: product.offers.filter((offer) => compiled.suppliers.has(offer.supplierId)),
  }
  while (found.length < max) {
    const next = look(compiled, inStore, left, field, key)
    if (next === null) break
    found.push(next)
    left = without(left, field, key, next.source)
  }
  const [first] = found
  return found.map((candidate, i) => ({
    ...candidate,
    behind: first === undefined || i === 0 ? null : behindOf(compiled, first.source, candidate.source),
  }))
}

/** The field's value and source as the resolver finds them. */
function look(
  compiled: CompiledAccount,
  inStore: CompiledStore,
  product: ProductInputs,
  field: CandidateField,
  key: string,
): Look | null {
  const asked = compiled.sources.of(field, compiled.sources.general(product.offers))
  if (field === 'attributes') {
    const overrides = product.attributeOverrides.filter((entry) => entry.key === key)
    const found = attributeValues(inStore.overridePlaces, overrides, asked).get(key)
    if (found === undefined) return null
    const { value, source } = found
    return { ...shownAs(value === null ? null : showValue(key, value, inStore.definitions), value), source }
  }
  if (field === 'category') {
    const found = findCategory(product.overrides, asked, compiled.ownCategories)
    return found === null ? null : { ...shownAs(found.value, found.stated), source: found.source }
  }
  const found = isTextField(field)
    ? findText(field, inStore.texts, product.overrides, asked)
    : field === 'ean'
      ? findEan(product.eans, asked)
      : field === 'images'
        ? findImages(product.overrides, asked)
        : findName(field satisfies NameField, product.overrides, asked)
  return found === null ? null : { value: found.value, stated: null, source: found.source }
}

const shownAs = (value: string | null, stated: string | null) => ({ value, stated: value === stated ? null : stated })

/** The product without this source's value of the field. */
function without(product: ProductInputs, field: CandidateField, key: string, source: Source): ProductInputs {
  if (source.from === 'override') {
    if (field === 'ean') return { ...product, eans: product.eans.map((entry) => ({ ...entry, isPrimary: false })) }
    if (field === 'attributes') {
      const place = source.locale === '*' ? '' : source.locale
      const attributeOverrides = product.attributeOverrides.filter(
        (entry) => entry.key !== key || entry.locale !== place,
      )
      return { ...product, attributeOverrides }
    }
    const overrides = product.overrides.filter(
      (entry) => entry.field !== field || (isTextField(field) && entry.locale !== source.locale),
    )
    return { ...product, overrides }
  }
  const { supplierId, supplierSku, locale } = source
  const isIt = (entry: { supplierId: number; supplierSku: string }) =>
    entry.supplierId === supplierId && entry.supplierSku === supplierSku
  if (field === 'ean') return { ...product, eans: product.eans.filter((entry) => !isIt(entry)) }
  const offers = product.offers.map((offer) => {
    if (!isIt(offer)) return offer
    if (field === 'attributes')
      return { ...offer, attributes: offer.attributes.filter((attribute) => attribute.key !== key) }
    if (field === 'images') return { ...offer, images: [] }
    if (!isTextField(field)) return { ...offer, [field]: null }
    // a text comes from one of an offer's locales
    const place = must(locale)
    const texts = { ...offer.texts, [place]: { ...offer.texts[place], [field]: null } }
    return { ...offer, texts }
  })
  return { ...product, offers }
}

function behindOf(compiled: CompiledAccount, first: Source, source: Source): Behind {
  if (source.from === 'override') return 'locale'
  if (first.from === 'override') {
    // for attributes, and fields without locales, an override precedes every supplier
    return source.locale === null || source.locale === first.locale ? 'override' : 'locale'
  }
  if (source.locale !== first.locale) return 'locale'
  const isActive = (supplierId: number) => compiled.suppliers.get(supplierId)?.isActive === true
  return isActive(first.supplierId) && !isActive(source.supplierId) ? 'inactive' : 'order'
}
