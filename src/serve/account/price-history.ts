import { productSources } from '../../catalog/products/product-resource.sql.ts'
import { groupsList } from '../../catalog/settings/groups.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import { priceHistory, type LowestPrice } from '../../shelf/price-history.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { Query } from '../query.ts'
import { sourceBody, sourceTag } from '../writing/preconditions.ts'
import { productIdOf } from './products.ts'

/** GET /v1/account/products/{id}/price-history */
export const priceHistoryRoute: Route = (app, context) => {
  app.get('/products/:id/price-history', async (request, reply) => {
    const query = new Query(request.query)
    const slug = query.text('store')
    const wanted = query.integer('customer_group_id', { min: 1 })
    query.doneClosed()
    const { accountId } = callerOf(request)
    const productId = productIdOf(request)
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
      new Date(),
    )
    const body = sourceBody({
      product_id: productId,
      store: store.slug,
      customer_group_id: group.groupId,
      entries: entries.map(({ from, to, price, currency }) => ({
        from: formatTimestamp(from),
        to: to === null ? null : formatTimestamp(to),
        price,
        currency,
      })),
      lowest_30_days: stated(lowest30Days),
      lowest_before: stated(lowestBefore),
    })
    return answer(request, reply, body, sourceTag(body))
  })
}

function stated(lowest: LowestPrice | null) {
  return lowest === null ? null : { ...lowest, from: formatTimestamp(lowest.from) }
}
