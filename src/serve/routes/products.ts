import { GET_PRICES, GET_PRODUCT, LIST_PRICES, LIST_PRODUCTS } from '../../../contract/routes/catalog.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { chosenMembers } from '../../shelf/chosen-members.ts'
import type { PayloadRow } from '../../shelf/payload-reads.sql.ts'
import { seenBy } from '../../shelf/without-costs.ts'
import { answer, tagOf } from '../answer.ts'
import type { Handlers, ServeContext } from '../context.ts'
import { handle, type Call } from '../handle.ts'
import { answerPage } from '../page.ts'

/** /v1/products and /v1/prices: whole products, and their price halves. */
export const productHandlers: Handlers = (app, context) => {
  handle(app, LIST_PRODUCTS, (call) => answerPage(context, 'products', call))
  handle(app, LIST_PRICES, (call) => answerPage(context, 'prices', call))
  // chained, not awaited: one promise less on the busiest route
  handle(app, GET_PRODUCT, (call) =>
    findPayload(context, call).then((row) => {
      const { fields } = call.query
      if (fields !== undefined) {
        const body = `{"data":${chosenMembers(`{${row.content},${row.price}}`, fields)}}`
        return answer(call.request, call.reply, body, tagOf(body))
      }
      return answer(call.request, call.reply, `{"data":{${row.content},${row.price}}}`, row.contentTag + row.priceTag)
    }),
  )
  handle(app, GET_PRICES, async (call) => {
    const row = await findPayload(context, call)
    const body = `{"data":{"id":${row.productId},"sku":${JSON.stringify(row.sku)},${row.price}}}`
    return answer(call.request, call.reply, body, tagOf(body))
  })
}

/** The stored payload of the product in the path; 404 for every product that this store does not list. */
async function findPayload(
  context: ServeContext,
  { query, params, caller }: Call<typeof GET_PRODUCT | typeof GET_PRICES>,
): Promise<PayloadRow> {
  const found = context.stores.find(caller.accountId, query.store)
  // awaiting a value costs a microtask per request
  const store = found instanceof Promise ? await found : found
  const row = params.id === 0 ? null : await context.lookup.payload(caller.accountId, store.storeId, params.id)
  if (row === null) throw new ShelfwireError('unknown-product', 'the store’s catalog has no such product')
  return seenBy(caller, row)
}
