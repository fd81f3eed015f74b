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

// Publishes events about products that were written together: those that the shop's services would publish, unless they would cost the search index a
// job for each variant. docs/decisions/217-new-products-are-written-together.md says which ones are left out.

interface MadeProduct {
  wanted: Wanted
  row: ProductRow
}

/** Publishes the events for the search index and other subscribers. They are delivered after the transaction, except to blocking handlers. @param ctx in the default channel */
export async function announce(
  shop: Shop,
  ctx: RequestContext,
  { products, beside, known }: { products: readonly MadeProduct[]; beside: MadeBeside; known: Known },
): Promise<void> {
  const bus = shop.get(EventBus)
  for (const { row, wanted } of products)
    await bus.publish(new ProductEvent(ctx, row, 'created', productInput(wanted, known)))
  // one event with all movements: the index handles only the first variants of it, but the events below have every variant
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
    // for a product event, the index handles at most INDEXED_AT_ONCE variants in another channel, so a larger product has an event for each variant
    else
      for (const variant of row.variants)
        for (const { id } of others(variant))
          await bus.publish(new ProductVariantChannelEvent(ctx, variant, id, 'assigned'))
}

/** The variants of a product, each with the input from which the shop's services would have made it. */
const variantsOf = ({ row: { id, variants }, wanted }: MadeProduct) =>
  variants.flatMap((row) => {
    const variant = wanted.variants.find(({ source }) => source === row.customFields.shelfwireId)
    if (variant === undefined) return []
    const optionIds = row.options.map((option) => option.id)
    const assetIds = row.assets.map(({ asset }) => asset.id)
    return [{ row, input: variantInput(id, { variant, optionIds, assetIds }) }]
  })
