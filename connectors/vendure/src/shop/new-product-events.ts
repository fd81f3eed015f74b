import {
  EventBus,
  ProductChannelEvent,
  ProductEvent,
  ProductVariantChannelEvent,
  ProductVariantEvent,
  ProductVariantPriceEvent,
  StockMovementEvent,
  type RequestContext,
} from '@vendure/core'
import type { Wanted } from '../article/wanted.ts'
import type { Shop } from '../vendure-shop.ts'
import type { MadeBeside } from './new-products.ts'
import type { Known } from './planned.ts'
import type { IdRow, ProductRow } from './rows.ts'
import { slices } from './slices.ts'
import { INDEXED_AT_ONCE, productInput, variantInput } from './written.ts'

// What the shop hears of products that were written together: what its services would say, where that does not cost the search index a job for each
// variant. docs/decisions/217-new-products-are-written-together.md says what is left out.

interface MadeProduct {
  wanted: Wanted
  row: ProductRow
}

/** Tells the shop's search index and whoever else listens. They hear it when the transaction has ended, but for handlers that block. @param ctx in the default channel */
export async function announce(
  shop: Shop,
  ctx: RequestContext,
  { products, beside, known }: { products: readonly MadeProduct[]; beside: MadeBeside; known: Known },
): Promise<void> {
  const bus = shop.get(EventBus)
  for (const { row, wanted } of products)
    await bus.publish(new ProductEvent(ctx, row, 'created', productInput(wanted, known)))
  // one list of all: the index takes the first variants of it, and hears of each variant below
  if (beside.movements.length > 0) await bus.publish(new StockMovementEvent(ctx, beside.movements))
  if (beside.prices.length > 0) await bus.publish(new ProductVariantPriceEvent(ctx, beside.prices, 'created'))
  for (const some of slices(products.flatMap(variantsOf), INDEXED_AT_ONCE))
    await bus.publish(
      new ProductVariantEvent(
        ctx,
        some.map(({ row }) => row),
        'created',
        some.map(({ input }) => input),
      ),
    )
  const others = ({ channels }: { channels: IdRow[] }) =>
    channels.filter(({ id }) => String(id) !== String(ctx.channelId))
  for (const { row } of products)
    if (row.variants.length <= INDEXED_AT_ONCE)
      for (const { id } of others(row)) await bus.publish(new ProductChannelEvent(ctx, row, id, 'assigned'))
    // of a product the index takes no more of them in another channel
    else
      for (const variant of row.variants)
        for (const { id } of others(variant))
          await bus.publish(new ProductVariantChannelEvent(ctx, variant, id, 'assigned'))
}

/** The variants of a product, each with what the shop's services would have been given to make it. */
const variantsOf = ({ row: { id, variants }, wanted }: MadeProduct) =>
  variants.flatMap((row) => {
    const variant = wanted.variants.find(({ source }) => source === row.customFields.shelfwireId)
    if (variant === undefined) return []
    const optionIds = row.options.map((option) => option.id)
    const assetIds = row.assets.map(({ asset }) => asset.id)
    return [{ row, input: variantInput(id, { variant, optionIds, assetIds }) }]
  })
