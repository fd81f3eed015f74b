import { GIVEN, StockPatch, StockPut } from '../../../contract/product-sources.ts'
import { productHold } from '../../catalog/products/edit-product.ts'
import { ownStockOf } from '../../catalog/products/own-stock.sql.ts'
import type { OwnStockRow } from '../../catalog/products/own-stock.sql.ts'
import { clearOwnStock, setOwnStock } from '../../catalog/products/products.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { Check } from '../../input/check.ts'
import { BOUNDS, readDecimal } from '../../input/decimal.ts'
import { readQuantity } from '../../input/quantity.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { answerWrite } from '../writing/answer-write.ts'
import { requireMatch, sourceBody, sourceTag } from '../writing/preconditions.ts'
import { partEchoed, requireEchoed } from '../writing/echoed.ts'
import { shapeReader } from '../writing/shape.ts'
import { productIdOf } from './products.ts'

const readPut = shapeReader(StockPut)
const readPatch = shapeReader(StockPatch)

/** /v1/account/products/{id}/stock: own stock and its cost, apart from the product because they move often. */
export const stockRoutes: Route = (app, context) => {
  const path = '/products/:id/stock'
  app.get(path, async (request, reply) => {
    const row = await read(context.db, callerOf(request).accountId, productIdOf(request))
    if (row === undefined) throw none()
    const body = sourceBody(represent(row))
    return answer(request, reply, body, sourceTag(body))
  })
  app.put(path, (request, reply) => {
    const productId = productIdOf(request)
    const { members, echoed } = partEchoed(readPut(request.body, 'stock'), GIVEN.stock)
    const check = new Check()
    const quantity = quantityOf(check, members.quantity)
    const cost = costOf(check, members.cost) ?? null
    check.done('stock')
    requireEchoed('stock', echoed, { product_id: productId })
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      requireMatch(request, old === undefined ? null : represent(old))
      const productIds = await setOwnStock(tx, accountId, [{ productId, quantity, cost }])
      const data = represent(await written(tx, accountId, productId))
      return old === undefined
        ? { status: 201, data, productIds, location: `/v1/account/products/${productId}/stock` }
        : { status: 200, data, productIds }
    })
  })
  app.patch(path, (request, reply) => {
    const productId = productIdOf(request)
    const { members, echoed } = partEchoed(readPatch(request.body, 'stock'), GIVEN.stock)
    const check = new Check()
    const { quantity: pieces } = members
    check.that(pieces !== null, 'quantity', 'is required and has no default; DELETE removes own stock')
    const patch = {
      quantity: pieces === undefined || pieces === null ? undefined : quantityOf(check, pieces),
      cost: costOf(check, members.cost),
    }
    check.done('stock')
    requireEchoed('stock', echoed, { product_id: productId })
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      if (old === undefined) throw none()
      requireMatch(request, represent(old))
      const { quantity = old.quantity, cost = old.cost } = patch
      const productIds = await setOwnStock(tx, accountId, [{ productId, quantity, cost }])
      return { status: 200, data: represent(await written(tx, accountId, productId)), productIds }
    })
  })
  app.delete(path, (request, reply) => {
    const productId = productIdOf(request)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      if (old === undefined) throw none()
      requireMatch(request, represent(old))
      return { status: 204, productIds: await clearOwnStock(tx, accountId, [productId]) }
    })
  })
}

const quantityOf = (check: Check, given: string | number) => check.take('quantity', readQuantity(given), 0)

/** undefined: it is not named; null: not known. */
const costOf = (check: Check, given: string | number | null | undefined) =>
  given === undefined || given === null ? given : check.take('cost', readDecimal(given, BOUNDS.amount), '0')

const none = () => new ShelfwireError('unknown-reference', 'the product has no own stock')

function represent({ productId, quantity, cost }: OwnStockRow) {
  return { product_id: productId, quantity, cost }
}

async function read(reader: Reader, accountId: number, productId: number): Promise<OwnStockRow | undefined> {
  const [row] = await ownStockOf(reader, accountId, [productId])
  return row
}

async function held(tx: Tx, accountId: number, productId: number) {
  if (!(await productHold(tx, accountId, productId)))
    throw new ShelfwireError('unknown-product', 'the account has no such product')
  return read(tx, accountId, productId)
}

async function written(tx: Tx, accountId: number, productId: number): Promise<OwnStockRow> {
  const row = await read(tx, accountId, productId)
  if (row === undefined) throw none()
  return row
}
