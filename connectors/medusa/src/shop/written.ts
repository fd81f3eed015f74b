import {
  batchProductVariantsWorkflow,
  batchVariantImagesWorkflow,
  createProductsWorkflow,
  deleteProductsWorkflow,
  deleteProductVariantsWorkflow,
  setProductProductOptionsWorkflow,
  updateProductsWorkflow,
} from '@medusajs/medusa/core-flows'
import type { Wanted, WantedVariant } from '../article/wanted.ts'
import type { Container } from '../medusa-shop.ts'
import type { Plan } from './plan.ts'

// Writes to the shop: by Medusa's workflows, which undo their steps when one fails and notify the shop's subscribers; prices and stock by the
// functions of their modules, which take many at once.

/** What a new product needs besides its `Wanted`. */
interface Making {
  categories: ReadonlyMap<string, string>
  shippingProfileId: string | null
}

export async function makeProducts(shop: Container, wanted: readonly Wanted[], making: Making): Promise<void> {
  if (wanted.length === 0) return
  const items = await itemsOf(
    shop,
    wanted.flatMap(({ variants }) => variants),
  )
  const products = wanted.map((each) => ({
    title: each.title,
    handle: each.handle,
    description: each.description,
    external_id: each.key,
    status: each.status,
    images: each.pictures.map((url) => ({ url })),
    ...(each.pictures[0] === undefined ? {} : { thumbnail: each.pictures[0] }),
    category_ids: each.categories.flatMap((id) => making.categories.get(String(id)) ?? []),
    sales_channels: each.salesChannels.map((id) => ({ id })),
    ...(making.shippingProfileId === null ? {} : { shipping_profile_id: making.shippingProfileId }),
    options: each.options,
    variants: each.variants.map((variant) => newVariant(variant, items)),
  }))
  await createProductsWorkflow(shop).run({ input: { products } })
}

function newVariant(wanted: WantedVariant, items: ReadonlyMap<string, string>) {
  const item = wanted.sku === null ? undefined : items.get(wanted.sku)
  return {
    title: wanted.title,
    sku: wanted.sku,
    ean: wanted.ean,
    variant_rank: wanted.rank,
    weight: wanted.weight,
    hs_code: wanted.hsCode,
    origin_country: wanted.originCountry,
    manage_inventory: true,
    allow_backorder: false,
    options: wanted.options,
    prices: wanted.prices
      .filter(({ list }) => list === null)
      .map(({ currency, amount, from, to }) => ({
        currency_code: currency,
        amount,
        ...(from === null ? {} : { min_quantity: from }),
        ...(to === null ? {} : { max_quantity: to }),
      })),
    metadata: { shelfwire_id: wanted.source },
    ...(item === undefined ? {} : { inventory_items: [{ inventory_item_id: item, required_quantity: 1 }] }),
  }
}

/** Existing inventory items by SKU. One that a kill has left without a variant is reused, because a second one with its SKU is refused. */
async function itemsOf(shop: Container, variants: readonly WantedVariant[]): Promise<Map<string, string>> {
  const skus = variants.flatMap(({ sku }) => sku ?? [])
  if (skus.length === 0) return new Map()
  const items = await shop.resolve('inventory').listInventoryItems({ sku: skus }, { take: null, select: ['id', 'sku'] })
  return new Map(items.flatMap(({ id, sku }) => (sku === null ? [] : [[sku, id] as const])))
}

export async function deleteProducts(shop: Container, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteProductsWorkflow(shop).run({ input: { ids } })
}

export async function deleteVariants(shop: Container, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteProductVariantsWorkflow(shop).run({ input: { ids } })
}

/** A product of the shop with its plan. */
export interface Planned {
  productId: string
  plan: Plan
}

/** Whether a plan changes the product, its options or variants: then its details must be planned anew afterwards. */
export const hasStructure = ({ drop, options, make, update, product }: Plan): boolean =>
  drop.length + options.length + make.length + update.length + Object.keys(product).length > 0

/** Writes products, options and variants, many at once: where the shop refuses one of them, it refuses them all. */
export async function writeStructure(shop: Container, planned: readonly Planned[]): Promise<void> {
  await deleteVariants(
    shop,
    planned.flatMap(({ plan }) => plan.drop),
  )
  for (const { productId, plan } of planned.filter(({ plan: { options } }) => options.length > 0)) {
    const update = plan.options.map(({ id, add }) => ({ product_option_id: id, add: add.map((value) => ({ value })) }))
    await setProductProductOptionsWorkflow(shop).run({ input: { product_id: productId, update } })
  }
  const products = planned
    .filter(({ plan }) => Object.keys(plan.product).length > 0)
    .map(({ productId, plan }) => ({ id: productId, ...plan.product }))
  // only products with the same members together: Medusa takes a member that is missing in one but not in another for a value
  for (const same of alike(products)) await updateProductsWorkflow(shop).run({ input: { products: same } })
  const update = planned.flatMap(({ plan }) => plan.update)
  const make = planned.flatMap(({ productId, plan }) => plan.make.map((variant) => ({ productId, variant })))
  if (make.length === 0 && update.length === 0) return
  const items = await itemsOf(
    shop,
    make.map(({ variant }) => variant),
  )
  const create = make.map(({ productId, variant }) => ({ product_id: productId, ...newVariant(variant, items) }))
  await batchProductVariantsWorkflow(shop).run({ input: { create, update, delete: [] } })
}

function alike<T extends object>(rows: readonly T[]): T[][] {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const members = Object.keys(row).join(' ')
    groups.set(members, [...(groups.get(members) ?? []), row])
  }
  return [...groups.values()]
}

/** Writes the pictures of variants, the prices and the stock of many products. @param lists the key of a price list -> Medusa's ID */
export async function writeDetails(
  shop: Container,
  plans: readonly Plan[],
  lists: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { variant, add, remove } of plans.flatMap(({ pictures }) => pictures))
    await batchVariantImagesWorkflow(shop).run({ input: { variant_id: variant, add, remove } })
  await writePrices(shop, plans, lists)
  const inventory = shop.resolve('inventory')
  const make = plans.flatMap(({ makeLevels }) => makeLevels)
  const set = plans.flatMap(({ setLevels }) => setLevels)
  if (make.length > 0) await inventory.createInventoryLevels(make)
  if (set.length > 0) await inventory.updateInventoryLevels(set)
}

async function writePrices(shop: Container, plans: readonly Plan[], lists: ReadonlyMap<string, string>): Promise<void> {
  const pricing = shop.resolve('pricing')
  const own = new Map<string, Parameters<typeof pricing.addPrices>[0][number]>()
  const listed = new Map<string, Parameters<typeof pricing.addPriceListPrices>[0][number]>()
  for (const { list, priceSet, currency, amount, from, to } of plans.flatMap(({ addPrices }) => addPrices)) {
    const price = { currency_code: currency, amount, min_quantity: from, max_quantity: to }
    if (list === null) {
      const of = own.get(priceSet) ?? { priceSetId: priceSet, prices: [] }
      of.prices.push(price)
      own.set(priceSet, of)
      continue
    }
    const id = lists.get(list)
    if (id === undefined) throw new Error(`the shop has no list of prices for ${list}`)
    const of = listed.get(id) ?? { price_list_id: id, prices: [] }
    of.prices.push({ ...price, price_set_id: priceSet })
    listed.set(id, of)
  }
  // old prices are removed first: of two with the same quantity and currency, it is undefined which one counts
  const remove = plans.flatMap(({ removePrices }) => removePrices)
  if (remove.length > 0) await pricing.removePrices(remove)
  if (own.size > 0) await pricing.addPrices([...own.values()])
  if (listed.size > 0) await pricing.addPriceListPrices([...listed.values()])
}
