import type { ContentBody } from '../../../contract/schemas.ts'
import { LIMITS } from '../../platform/limits.ts'

// Computes what a variant group shows as a whole, from its products; pure.

/** The members of a product that a group's facts are made of. */
export type GroupedProduct = Pick<ContentBody, 'id' | 'images' | 'image_details' | 'group'>

export interface GroupFacts {
  /** Options in the order in which products first name them, each with its values in the order of the products. */
  options: { key: string; label: string; values: string[] }[]
  /** Each picture once, in the order of the products and of their pictures. */
  images: GroupImage[]
}

interface GroupImage {
  url: string
  /** The products that show it. */
  product_ids: number[]
  /** Those of these products whose first picture it is. */
  first_of: number[]
  /** Only if the account has enabled `image_details`. */
  details?: NonNullable<ContentBody['image_details']>[number]
}

/**
 * Tells which pictures belong to which products; docs/decisions/166-pictures-of-variants.md says why the group tells this rather
 * than the products.
 * @param products in the group's order.
 * @returns at most LIMITS.groupImagesMax pictures, the first ones.
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

/** Keeps the first details, and the first alternative text, which not every product may have. */
function addDetails(image: GroupImage, details: GroupImage['details']): void {
  if (details === undefined) return
  if (image.details === undefined) image.details = { ...details }
  else image.details.alt ??= details.alt
}
