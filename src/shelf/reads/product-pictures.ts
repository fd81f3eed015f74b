import type { Db } from '../../db/sql.ts'
import { imagesByHash, type ImageRecord } from '../../images/register/registration.sql.ts'
import { urlHashOf } from '../../images/register/url-hash.ts'
import { basisOf } from '../../resolve/basis.ts'
import { findAlt, statedAlts } from '../../resolve/content/image-alts.ts'
import { imageKey, resolveImages, type ResolvedImage } from '../../resolve/content/images.ts'
import { urlsIn, type Source } from '../../resolve/sourcing/sources.ts'
import { inProductSnapshot } from '../inputs/product-snapshot.ts'
import { must } from '../../platform/must.ts'

/** What stores of a locale read as what a picture shows. */
export interface ShownAlt {
  locale: string
  text: string | null
  /** The locale of the text; null: there is none. */
  foundIn: string | null
  /** Code of the supplier whose text it is; null: the owner's, or none. */
  supplier: string | null
}

/** A picture that a product's offers or the owner name. */
export interface ProductPicture extends ResolvedImage {
  /** Whether it is in the list that stores are given, and so shown unless it is dead. */
  isListed: boolean
  /** Codes of the suppliers whose offers name it, in the order in which pictures are taken from them. */
  suppliers: string[]
  /** What it shows, by the locales of the account's stores. */
  alts: ShownAlt[]
  /** What is known of the file; null: it is not registered yet. */
  record: Omit<ImageRecord, 'urlHash'> | null
}

export interface ProductPictures {
  /** The owner's list; null: the suppliers' is shown. */
  own: readonly string[] | null
  source: Source | null
  /** Those of the list that is shown in its order, then the others. */
  pictures: ProductPicture[]
}

/**
 * Every picture of a product, also those that are left out, from one snapshot.
 * @throws ShelfwireError unknown-product
 */
export async function readProductPictures(db: Db, accountId: number, productId: number): Promise<ProductPictures> {
  return inProductSnapshot(db, accountId, productId, async (compiled, product, tx) => {
    const basis = basisOf(compiled, product)
    const override = product.overrides.find(({ field }) => field === 'images')
    const listed = basis.fields.images?.value ?? []
    const namedBy = new Map<string, Set<string>>()
    for (const { supplierId, images } of compiled.sources.of('images', basis.sources)) {
      const { code } = must(compiled.suppliers.get(supplierId))
      for (const url of images) namedBy.set(url, (namedBy.get(url) ?? new Set()).add(code))
    }
    const urls = [...new Set([...listed, ...namedBy.keys()])]
    const hashOf = new Map(urls.map((url) => [url, urlHashOf(imageKey(url))]))
    const records = await imagesByHash(tx, accountId, [...new Set(hashOf.values())])
    const recordOf = new Map(records.map(({ urlHash, ...record }) => [urlHash, record]))
    const inList = new Set(listed)
    const stated = statedAlts(product.overrides, compiled.sources.of('images', basis.sources))
    const texts = new Map(compiled.stores.map(({ store, texts: locales }) => [store.locale, locales]))
    const altsOf = (url: string) =>
      [...texts]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([locale, locales]): ShownAlt => {
          const found = findAlt(stated, locales, url)
          const from = found?.source
          return {
            locale,
            text: found?.value ?? null,
            foundIn: from?.locale ?? null,
            supplier: from?.from === 'supplier' ? must(compiled.suppliers.get(from.supplierId)).code : null,
          }
        })
    return {
      own: override === undefined ? null : urlsIn(override.value),
      source: basis.fields.images?.source ?? null,
      pictures: resolveImages(compiled.account.imageBase, product.images, urls).map((image) => ({
        ...image,
        isListed: inList.has(image.url),
        suppliers: [...(namedBy.get(image.url) ?? [])],
        alts: altsOf(image.url),
        record: recordOf.get(must(hashOf.get(image.url))) ?? null,
      })),
    }
  })
}
