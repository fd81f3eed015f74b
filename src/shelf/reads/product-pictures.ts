import type { Db } from '../../db/sql.ts'
import { imagesByHash, type ImageRecord } from '../../images/register/registration.sql.ts'
import { urlHashOf } from '../../images/register/url-hash.ts'
import { basisOf } from '../../resolve/basis.ts'
import { findAlt, statedAlts } from '../../resolve/content/image-alts.ts'
import { imageKey, resolveImages, type ResolvedImage } from '../../resolve/content/images.ts'
import { urlsIn, type Source } from '../../resolve/sourcing/sources.ts'
import { inProductSnapshot } from '../inputs/product-snapshot.ts'
import { must } from '../../platform/must.ts'

/** The alternative text of a picture in stores of one locale. */
export interface ShownAlt {
  locale: string
  text: string | null
  /** The locale that the text is stated in; null: no text. */
  foundIn: string | null
  /** Code of the supplier that states the text; null: the owner states it, or there is none. */
  supplier: string | null
}

/** A picture that offers or the owner name for a product. */
export interface ProductPicture extends ResolvedImage {
  /** Whether it is in the list for stores. Listed pictures are shown unless they are dead. */
  isListed: boolean
  /** Codes of suppliers whose offers name it, in source order. */
  suppliers: string[]
  /** Alternative texts by the locales of the account's stores. */
  alts: ShownAlt[]
  /** The registered record of the file; null: not registered yet. */
  record: Omit<ImageRecord, 'urlHash'> | null
}

export interface ProductPictures {
  /** The owner's list; null: the suppliers' pictures are shown. */
  own: readonly string[] | null
  source: Source | null
  /** Listed pictures in order, then the others. */
  pictures: ProductPicture[]
}

/**
 * All pictures of a product, including those that stores do not show, from one snapshot.
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
