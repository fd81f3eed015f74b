import {
  Asset,
  ChannelService,
  ProductOption,
  ProductOptionGroup,
  ProductOptionGroupService,
  ProductOptionService,
  ProductService,
  ProductVariantService,
  type RequestContext,
} from '@vendure/core'
import type { Wanted } from '../article/wanted.ts'
import type { Shop } from '../vendure-shop.ts'
import { assetsOf, type Known, type Plan } from './planned.ts'
import type { Id, ProductRow } from './rows.ts'
import { slices } from './slices.ts'

// Writes to the shop by Vendure's services, which also update the search index and the collections.

/** How many variants of one event the shop's search index handles. */
export const INDEXED_AT_ONCE = 50

const ENTITIES = { asset: Asset, group: ProductOptionGroup, option: ProductOption }

/** Makes a product without options and variants; these are planned when it exists. */
export async function makeProduct(shop: Shop, ctx: RequestContext, wanted: Wanted, known: Known): Promise<void> {
  await shop.get(ProductService).create(ctx, productInput(wanted, known))
}

/** The input from which the shop's services make a product. */
export function productInput(wanted: Wanted, known: Known): object {
  const assetIds = assetsOf(wanted.pictures, known)
  return {
    enabled: wanted.enabled,
    translations: wanted.texts.map(({ languageCode, name, description, slug }) => ({
      languageCode,
      name,
      description,
      slug,
    })),
    assetIds,
    featuredAssetId: assetIds[0] ?? null,
    facetValueIds: wanted.categories.flatMap((id) => known.categories.get(String(id)) ?? []),
    customFields: { shelfwireKey: wanted.key },
  }
}

/** Writes option groups and options, deletes variants, and makes new ones. */
export async function writeStructure(shop: Shop, ctx: RequestContext, { id }: ProductRow, plan: Plan): Promise<void> {
  const products = shop.get(ProductService)
  const groups = shop.get(ProductOptionGroupService)
  const options = shop.get(ProductOptionService)
  const isReshaped = plan.removeGroups.length + plan.makeGroups.length + plan.makeOptions.length > 0
  if (plan.drop.length > 0) await shop.get(ProductVariantService).softDelete(ctx, plan.drop)
  for (const groupId of plan.removeGroups) await products.removeOptionGroupFromProduct(ctx, id, groupId, true)
  for (const { code, names, options: values } of plan.makeGroups) {
    const group = await groups.create(ctx, { code, translations: names })
    for (const value of values) await options.create(ctx, group.id, { code: value.code, translations: value.names })
    await products.addOptionGroupToProduct(ctx, id, group.id)
  }
  for (const { groupId, code, names } of plan.makeOptions)
    await options.create(ctx, groupId, { code, translations: names })
  // variants are planned anew, now that their options exist
  if (isReshaped) return
  // existing variants first: they may give up options that new ones need
  await updateVariants(shop, ctx, plan)
  if (plan.make.length > 0) await makeVariants(shop, ctx, id, plan.make)
}

async function makeVariants(shop: Shop, ctx: RequestContext, productId: Id, make: Plan['make']): Promise<void> {
  for (const some of slices(make, INDEXED_AT_ONCE))
    await shop.get(ProductVariantService).create(
      ctx,
      some.map((each) => variantInput(productId, each)),
    )
}

/** The input from which the shop's services make a variant. */
export const variantInput = (productId: Id, { variant, optionIds, assetIds }: Plan['make'][number]): object => ({
  productId,
  enabled: variant.enabled,
  sku: variant.sku,
  translations: variant.names,
  optionIds,
  assetIds,
  featuredAssetId: assetIds[0] ?? null,
  taxCategoryId: variant.taxCategoryId,
  trackInventory: 'TRUE',
  stockLevels: [...variant.stock].map(([stockLocationId, stockOnHand]) => ({ stockLocationId, stockOnHand })),
  customFields: variant.fields,
  // a price in the default channel, until the variant's own prices are written
  price: variant.prices[0]?.amount ?? 0,
})

const updateVariants = async (shop: Shop, ctx: RequestContext, { update }: Plan): Promise<void> => {
  for (const some of slices(update, INDEXED_AT_ONCE)) await shop.get(ProductVariantService).update(ctx, some)
}

/** Writes the rest of a plan: members, names, channels and prices. */
export async function writeDetails(shop: Shop, ctx: RequestContext, { id }: ProductRow, plan: Plan): Promise<void> {
  const variants = shop.get(ProductVariantService)
  if (Object.keys(plan.product).length > 0) await shop.get(ProductService).update(ctx, { id, ...plan.product })
  for (const { id: groupId, names } of plan.nameGroups)
    await shop.get(ProductOptionGroupService).update(ctx, { id: groupId, translations: names })
  for (const { id: optionId, names } of plan.nameOptions)
    await shop.get(ProductOptionService).update(ctx, { id: optionId, translations: names })
  await updateVariants(shop, ctx, plan)
  for (const [channelId, productVariantIds] of byChannel(plan.assign))
    await variants.assignProductVariantsToChannel(ctx, { channelId, productVariantIds })
  for (const [channelId, productVariantIds] of byChannel(plan.remove))
    await variants.removeProductVariantsFromChannel(ctx, { channelId, productVariantIds })
  for (const { kind, id: partId, channelIds } of plan.show)
    await shop.get(ChannelService).assignToChannels(ctx, ENTITIES[kind], partId, channelIds)
  for (const { variantId, amount, channelId, currency } of plan.prices)
    await variants.createOrUpdateProductVariantPrice(ctx, variantId, amount, channelId, currency)
  // empty updates, because the search index handles events of variants, not of their prices
  const priced = [...new Set(plan.prices.map(({ variantId }) => variantId))]
  for (const some of slices(priced, INDEXED_AT_ONCE))
    await variants.update(
      ctx,
      some.map((variantId) => ({ id: variantId })),
    )
}

function byChannel(moved: Plan['assign']): Map<Id, Id[]> {
  const channels = new Map<Id, Id[]>()
  for (const { channelId, variantId } of moved) channels.set(channelId, [...(channels.get(channelId) ?? []), variantId])
  return channels
}
