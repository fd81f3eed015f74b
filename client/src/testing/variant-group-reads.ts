import type { GroupProducts, ListedGroup, Product } from '../answers.ts'
import type { Caller } from './callers.ts'
import type { Catalog } from './catalog.ts'
import type { QUERIES, Values } from './parameters.ts'
import { Problem } from './problem.ts'
import { metaOf, seenBy, textWith } from './product-reads.ts'

// Groups of variants, as the products of a store state them.

const GROUP_PRODUCTS_MAX = 1_000
const GROUP_IMAGES_MAX = 1_000

/** The products of each group that a store lists, in the order of the variants. */
function groupsIn(catalog: Catalog, store: string): Map<number, Product[]> {
  const groups = new Map<number, Product[]>()
  for (const { product } of catalog.all(store)) {
    if (product.group === undefined) continue
    groups.set(product.group.id, [...(groups.get(product.group.id) ?? []), product])
  }
  for (const [id, products] of groups) {
    const ordered = products.sort((a, b) => (a.group?.position ?? 0) - (b.group?.position ?? 0) || a.id - b.id)
    groups.set(id, ordered.slice(0, GROUP_PRODUCTS_MAX))
  }
  return groups
}

export function readGroups(catalog: Catalog, query: Values<(typeof QUERIES)['groups']>): string {
  const { per_page: perPage, after_id: afterId = 0 } = query
  const store = catalog.find(query.store)
  const groups = groupsIn(catalog, store.slug)
  // the service pages through the groups of all stores, and leaves out those of which this one lists nothing
  const known = new Set(catalog.active.flatMap(({ slug }) => [...groupsIn(catalog, slug).keys()]))
  const ids = [...known]
    .sort((a, b) => a - b)
    .filter((id) => id > afterId)
    .slice(0, perPage)
  const data = ids.flatMap((id): ListedGroup[] => {
    const products = groups.get(id) ?? []
    const [leading] = products
    if (leading?.group === undefined) return []
    const { key, title } = leading.group
    const { id: leadingId, description, images } = leading
    return [
      {
        id,
        key,
        title,
        products: products.length,
        leading_product_id: leadingId,
        description,
        image: images[0] ?? null,
      },
    ]
  })
  const last = ids.length < perPage ? null : (ids.at(-1) ?? null)
  return JSON.stringify({ data, store: store.slug, meta: { per_page: perPage, next_after_id: last } })
}

/** @throws Problem unknown-variant-group */
export function readGroup(
  catalog: Catalog,
  caller: Caller,
  id: number,
  query: Values<(typeof QUERIES)['group']>,
): string {
  const { per_page: perPage, page, fields } = query
  const store = catalog.find(query.store)
  const products = groupsIn(catalog, store.slug).get(id) ?? []
  const [leading] = products
  if (leading?.group === undefined)
    throw new Problem('unknown-variant-group', 'the store’s catalog has no such group of variants')
  const { key, title } = leading.group
  const shown = products.slice((page - 1) * perPage, (page - 1) * perPage + perPage).flatMap((product) => {
    const listed = catalog.listed(store.slug).get(product.id)
    return listed === undefined ? [] : [JSON.parse(textWith(seenBy(caller, listed), fields)) as Product]
  })
  const data: GroupProducts = {
    id,
    key,
    title,
    products: shown,
    description: leading.description,
    ...factsOf(products),
  }
  return JSON.stringify({ data, store: store.slug, meta: metaOf(page, perPage, products.length) })
}

/** The options in which the variants differ, and their pictures. */
function factsOf(products: readonly Product[]): Pick<GroupProducts, 'options' | 'images'> {
  const options = new Map<string, { key: string; label: string; values: string[] }>()
  const images = new Map<string, GroupProducts['images'][number]>()
  for (const { id, images: urls, image_details: details, group } of products) {
    for (const { key, label, value } of group?.options ?? []) {
      const option = options.get(key) ?? { key, label, values: [] }
      options.set(key, option)
      if (!option.values.includes(value)) option.values.push(value)
    }
    for (const [at, url] of urls.entries()) {
      const image = images.get(url) ?? { url, product_ids: [], first_of: [] }
      if (!images.has(url) && images.size >= GROUP_IMAGES_MAX) continue
      images.set(url, image)
      if (image.product_ids.at(-1) === id) continue
      image.product_ids.push(id)
      if (at === 0) image.first_of.push(id)
      const detail = details?.[at]
      if (detail === undefined) continue
      if (image.details === undefined) image.details = { ...detail }
      else image.details.alt ??= detail.alt
    }
  }
  return { options: [...options.values()], images: [...images.values()] }
}
