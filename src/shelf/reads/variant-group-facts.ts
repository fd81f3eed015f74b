import type { ContentBody } from '../../../contract/schemas.ts'
import { LIMITS } from '../../platform/limits.ts'

// What is said of a group of variants as a whole, from what its products show; pure.

/** The part of a product that a group is made of. */
export type GroupedProduct = Pick<ContentBody, 'id' | 'images' | 'image_details' | 'group'>

export interface GroupFacts {
  /** In what the variants differ, in the order in which they are first named, each with its values in the order of the products. */
  options: { key: string; label: string; values: string[] }[]
  /** Each picture once, in the order of the products and of their pictures. */
  images: GroupImage[]
}

interface GroupImage {
  url: string
  /** Those that show it. */
  product_ids: number[]
  /** Those of them of which it is the first. */
  first_of: number[]
  /** Where the account has chosen them. */
  details?: NonNullable<ContentBody['image_details']>[number]
}

/**
 * Which products a picture is for is said here, and not by each product: docs/decisions/166-pictures-of-variants.md says why.
 * @param products in their order. Of more pictures the first LIMITS.groupImagesMax are taken.
 */
export function groupFacts(products: readonly GroupedProduct[]): GroupFacts {
  const options = new Map<string, { label: string; values: Set<string> }>()
  const images = new Map<string, GroupImage>()
  for (const { id, images: urls, image_details: details, group } of products) {
    for (const { key, label, value } of group?.options ?? []) {
      const option = options.get(key) ?? { label, values: new Set() }
      option.values.add(value)
      options.set(key, option)
    }
    for (const [at, url] of urls.entries()) {
      const image = images.get(url) ?? { url, product_ids: [], first_of: [] }
      if (!images.has(url)) {
        if (images.size >= LIMITS.groupImagesMax) continue
        images.set(url, image)
      }
      if (image.product_ids.at(-1) === id) continue
      image.product_ids.push(id)
      if (at === 0) image.first_of.push(id)
      addDetails(image, details?.[at])
    }
  }
  return {
    options: Array.from(options, ([key, { label, values }]) => ({ key, label, values: [...values] })),
    images: [...images.values()],
  }
}

/** What a picture shows may be said of one product alone. */
function addDetails(image: GroupImage, details: GroupImage['details']): void {
  if (details === undefined) return
  if (image.details === undefined) image.details = { ...details }
  else image.details.alt ??= details.alt
}
