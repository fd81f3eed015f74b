import { GET_PRICE_HISTORY } from '../../../../contract/routes/products.ts'
import { productSources } from '../../../catalog/products/product-resource.sql.ts'
import { groupsList } from '../../../catalog/settings/stores/groups.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { formatTimestamp, timeOrNull } from '../../../platform/time/timestamp.ts'
import { priceHistory, type LowestPrice } from '../../../shelf/payloads/price-history.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerData } from '../answer-read.ts'
import { now } from '../../../platform/time/clock.ts'

/** GET /v1/account/products/{id}/price-history */
export const priceHistoryHandlers: Handlers = (app, context) => {
  handle(app, GET_PRICE_HISTORY, async (call) => {
    const { store: slug, customer_group_id: wanted } = call.query
    const { accountId } = call.caller
    const productId = call.params.id
    const store = await context.stores.find(accountId, slug)
    if ((await productSources(context.db, accountId, [productId])).length === 0)
      throw new ShelfwireError('unknown-product', 'the account has no such product')
    const group = (await groupsList(context.db, accountId)).find((row) =>
      wanted === undefined ? row.isDefault : row.groupId === wanted,
    )
    if (group === undefined)
      throw new ShelfwireError('unknown-reference', `the account has no customer group ${wanted}`)
    const { entries, lowest30Days, lowestBefore } = await priceHistory(
      context.db,
      accountId,
      productId,
      store.storeId,
      group.groupId,
      now(),
    )
    return answerData(call, {
      product_id: productId,
      store: store.slug,
      customer_group_id: group.groupId,
      entries: entries.map(({ from, to, price, currency }) => ({
        from: formatTimestamp(from),
        to: timeOrNull(to),
        price,
        currency,
      })),
      lowest_30_days: datedLowest(lowest30Days),
      lowest_before: datedLowest(lowestBefore),
    })
  })
}

function datedLowest(lowest: LowestPrice | null) {
  return lowest === null ? null : { ...lowest, from: formatTimestamp(lowest.from) }
}
