import type { Static } from 'typebox'
import { forEachField, NAME_FIELDS, TEXT_FIELDS } from '../../../../contract/product-fields.ts'
import type { ProductCreate } from '../../../../contract/product-resources.ts'
import type { ProductChanges } from '../../../catalog/products/edit-product.ts'
import { canonicalLocale } from '../../../input/locale.ts'
import { EVERY_STORE } from '../../../catalog/products/listings/exclusions.sql.ts'
import type { ProductSources } from '../../../catalog/products/product-resource.sql.ts'
import type { StoreRow } from '../../../catalog/settings/stores/stores.sql.ts'
import type { Fault } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { formatTimestamp } from '../../../platform/time/timestamp.ts'
import { refuse } from '../members.ts'
import { must } from '../../../platform/must.ts'

// The account resource of a product: the owner's settings as one JSON object, and a merge patch of it as changes.

/** Means every locale or every store. */
const EVERY = '*'

type Members = Record<string, unknown>
/** A merge patch of a product; absent members stay unchanged. */
export type ProductPatchBody = Static<typeof ProductCreate>
type ByName<T> = Record<string, T>

/** The owner's settings of a product, as read. `stores` maps ids to slugs. */
export function productMembers(sources: ProductSources, stores: readonly StoreRow[]): Members {
  const slugs = new Map(stores.map((store) => [store.storeId, store.slug]))
  const override = (field: string) => sources.overrides.filter((row) => row.field === field)
  const single = (field: string) => override(field)[0]?.value ?? null
  const images = single('images')
  const attributes: ByName<ByName<string | false>> = {}
  for (const { key, locale, value } of sources.attributeOverrides) {
    const places = (Object.hasOwn(attributes, key) ? attributes[key] : undefined) ?? {}
    define(attributes, key, places)
    define(places, locale === '' ? EVERY : locale, value ?? false)
  }
  return {
    id: sources.productId,
    created_at: formatTimestamp(sources.createdAt),
    sku: sources.sku,
    ean: sources.ean,
    ...forEachField(TEXT_FIELDS, (field) => byName(override(field).map((row) => [row.locale, row.value]))),
    ...forEachField(NAME_FIELDS, single),
    images: images === null ? null : (JSON.parse(images) as unknown),
    image_alts: byName(
      override('image_alts').map((row) => [row.locale, JSON.parse(row.value ?? '{}') as ByName<string>]),
    ),
    attributes: byName(Object.entries(attributes)),
    listings: byName(
      sources.listings.flatMap(({ storeId, isListed }) => {
        const slug = slugs.get(storeId)
        return slug === undefined ? [] : [[slug, isListed]]
      }),
    ),
    exclusions: byName(
      sources.exclusions.flatMap((row) =>
        row.storeId === EVERY_STORE || slugs.has(row.storeId) ? [[slugs.get(row.storeId) ?? EVERY, row.reason]] : [],
      ),
    ),
    slugs: byName(
      sources.slugs.flatMap(({ storeId, slug }) => {
        const store = slugs.get(storeId)
        return store === undefined ? [] : [[store, slug]]
      }),
    ),
    ...(sources.variantGroup === null ? {} : { variant_group: sources.variantGroup }),
  }
}

/** Entries as an object, sorted by name, so that equal entries give equal text. */
function byName<T>(entries: readonly (readonly [string, T])[]): ByName<T> {
  const object: ByName<T> = {}
  for (const [name, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) define(object, name, value)
  return object
}

/** Keys are data: one may be `__proto__`. */
function define<T>(object: ByName<T>, name: string, value: T): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * The changes of one product that a merge patch asks for: an absent member is unchanged, null restores the suppliers' value.
 * @param sources the present settings, by which null for a whole map removes all its entries.
 * @throws ShelfwireError invalid-input naming stores that the account does not have.
 */
export function productChanges(
  patch: ProductPatchBody,
  sources: ProductSources,
  stores: readonly StoreRow[],
): ProductChanges {
  const faults: Fault[] = []
  const storeOf = new Map(stores.map((store) => [store.slug, store.storeId]))
  const idOf = (name: string, slug: string) => {
    const storeId = storeOf.get(slug)
    if (storeId === undefined && faults.length < LIMITS.faultsMax)
      faults.push({ name: `${name}.${slug.slice(0, 80)}`, reason: 'the account has no such store' })
    // never used: the faults are thrown below
    return storeId ?? 0
  }
  const changes: ProductChanges = {
    overrides: [],
    attributeOverrides: [],
    attributeResets: [],
    listings: [],
    exclusions: [],
  }
  if (patch.sku !== undefined) changes.sku = patch.sku
  if (patch.ean !== undefined) changes.ean = patch.ean
  for (const field of NAME_FIELDS) {
    const value = patch[field]
    if (value !== undefined) changes.overrides.push({ field, locale: '', value })
  }
  if (patch.images !== undefined)
    changes.overrides.push({
      field: 'images',
      locale: '',
      value: patch.images === null ? null : JSON.stringify(patch.images),
    })
  for (const field of TEXT_FIELDS) {
    const texts = patch[field]
    if (texts === undefined) continue
    const entries =
      texts === null
        ? sources.overrides.filter((row) => row.field === field).map((row) => [row.locale, null] as const)
        : Object.entries(texts)
    for (const [locale, value] of entries) changes.overrides.push({ field, locale, value })
  }
  changes.overrides.push(...altChanges(patch.image_alts, sources))
  attributeChanges(patch.attributes, sources, changes)
  const { listings, exclusions } = patch
  changes.slugs = slugChanges(patch.slugs, sources, stores, idOf)
  if (listings === null) changes.listings.push(...sources.listings.map(({ storeId }) => ({ storeId, isListed: null })))
  for (const [slug, isListed] of Object.entries(listings ?? {}))
    changes.listings.push({ storeId: idOf('listings', slug), isListed })
  if (exclusions === null)
    changes.exclusions.push(
      ...sources.exclusions.map(({ storeId }) => ({ storeId: storeId === EVERY_STORE ? null : storeId, reason: null })),
    )
  for (const [slug, reason] of Object.entries(exclusions ?? {}))
    changes.exclusions.push({ storeId: slug === EVERY ? null : idOf('exclusions', slug), reason })
  refuse(faults)
  return changes
}

function slugChanges(
  slugs: ProductPatchBody['slugs'],
  sources: ProductSources,
  stores: readonly StoreRow[],
  idOf: (name: string, store: string) => number,
): NonNullable<ProductChanges['slugs']> {
  const storeOf = new Map(stores.map((store) => [store.storeId, store]))
  const named =
    slugs === null
      ? sources.slugs.flatMap(({ storeId }) => [[must(storeOf.get(storeId)).slug, null] as const])
      : Object.entries(slugs ?? {})
  return named.map(([store, text]) => {
    const storeId = idOf('slugs', store)
    return { storeId, name: `slugs.${store.slice(0, 80)}`, locale: storeOf.get(storeId)?.locale ?? '', text }
  })
}

/** Texts of pictures that the patch does not name are kept. */
function altChanges(alts: ProductPatchBody['image_alts'], sources: ProductSources): ProductChanges['overrides'] {
  if (alts === undefined) return []
  const field = 'image_alts'
  const known = new Map(
    sources.overrides.flatMap((row) => (row.field === field ? [[row.locale, row.value] as const] : [])),
  )
  if (alts === null) return [...known.keys()].map((locale) => ({ field, locale, value: null }))
  return Object.entries(alts).map(([locale, texts]) => {
    if (texts === null) return { field, locale, value: null }
    const old = JSON.parse(known.get(canonicalLocale(locale) ?? locale) ?? '{}') as ByName<string>
    const merged = Object.entries({ ...old, ...texts }).filter(([, text]) => text !== null)
    return { field, locale, value: merged.length === 0 ? null : JSON.stringify(Object.fromEntries(merged)) }
  })
}

function attributeChanges(
  attributes: ProductPatchBody['attributes'],
  sources: ProductSources,
  changes: ProductChanges,
): void {
  if (attributes === undefined) return
  if (attributes === null) {
    for (const key of new Set(sources.attributeOverrides.map((row) => row.key)))
      changes.attributeResets.push({ key, locale: null })
    return
  }
  for (const [key, places] of Object.entries(attributes)) {
    if (places === null) changes.attributeResets.push({ key, locale: null })
    for (const [place, value] of Object.entries(places ?? {})) {
      const locale = place === EVERY ? '' : place
      if (value === null) changes.attributeResets.push({ key, locale })
      else changes.attributeOverrides.push({ key, locale, value: value === false ? null : value })
    }
  }
}
