import { GET_PRICES, GET_PRODUCT, LIST_PRICES, LIST_PRODUCTS } from '../../../contract/routes/catalog.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { chosenMembers } from '../../shelf/reads/chosen-members.ts'
import type { PayloadRow } from '../../shelf/reads/payload-reads.sql.ts'
import { seenBy } from '../../shelf/reads/without-costs.ts'
import { openAllLocales } from '../all-locales.ts'
import { tagOf, type Found } from '../answer.ts'
import { chosenPage } from '../chosen.ts'
import type { Handlers, ServeContext } from '../context.ts'
import { readPage } from '../page.ts'
import { handleRead, type Asked, type Read } from '../read.ts'

/** /v1/products and /v1/prices: whole products, and their price halves. */
export const productHandlers: Handlers = (app, context) => {
  handleRead(app, context, LIST_PRODUCTS, readProducts)
  handleRead(app, context, LIST_PRICES, readPrices)
  handleRead(app, context, GET_PRODUCT, readProduct)
  handleRead(app, context, GET_PRICES, readPricesOfOne)
}

export const readProducts: Read<typeof LIST_PRODUCTS> = (context, asked) => readPage(context, 'products', asked)
export const readPrices: Read<typeof LIST_PRICES> = (context, asked) => readPage(context, 'prices', asked)

export const readProduct: Read<typeof GET_PRODUCT> = (context, asked) =>
  // chained, not awaited: one promise fewer on the busiest route
  findPayload(context, asked).then((row) => {
    const { fields, locales } = asked.query
    if (locales !== undefined) return inAllLocales(context, asked, row)
    if (fields !== undefined) {
      const body = `{"data":${chosenMembers(`{${row.content},${row.price}}`, fields)}}`
      return { body, tag: tagOf(body) }
    }
    return { body: `{"data":{${row.content},${row.price}}}`, tag: row.contentTag + row.priceTag }
  })

export const readPricesOfOne: Read<typeof GET_PRICES> = async (context, asked) => {
  const row = await findPayload(context, asked)
  const body = `{"data":{"id":${row.productId},"sku":${JSON.stringify(row.sku)},${row.price}}}`
  return { body, tag: tagOf(body) }
}

/** A product with its texts in every locale. The tag is the body's own: texts of other stores change without this store's payload. */
function inAllLocales(
  { db, stores, largeAnswers }: ServeContext,
  { query: { store, fields }, caller: { accountId } }: Asked<typeof GET_PRODUCT>,
  { content, price }: PayloadRow,
): Promise<Found> {
  return largeAnswers.read(accountId, LIMITS.textsPerAnswerMax, async () => {
    const texts = openAllLocales(accountId, await stores.active(accountId), await stores.find(accountId, store), fields)
    const { members, tag } = await chosenPage(await texts.add(db, [`{${content},${price}}`]), fields, true)
    return { head: '{"data":', members, tail: '}', tag }
  })
}

/** The stored payload of the product in the path. @throws ShelfwireError unknown-product for every product that the store does not list */
async function findPayload(
  context: ServeContext,
  { query, params, caller }: Asked<typeof GET_PRODUCT | typeof GET_PRICES>,
): Promise<PayloadRow> {
  const found = context.stores.find(caller.accountId, query.store)
  // awaiting a value would cost a microtask per request
  const store = found instanceof Promise ? await found : found
  const row = params.id === 0 ? null : await context.lookup.payload(caller.accountId, store.storeId, params.id)
  if (row === null) throw new ShelfwireError('unknown-product', 'the store’s catalog has no such product')
  return seenBy(caller, row)
}
