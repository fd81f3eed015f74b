import { GIVEN, StockPatch, StockPut } from '../../../contract/product-sources.ts'
import { productLock } from '../../catalog/products/products.sql.ts'
import { ownStockOf } from '../../catalog/products/own-stock.sql.ts'
import type { OwnStockRow } from '../../catalog/products/own-stock.sql.ts'
import { clearOwnStock, setOwnStock } from '../../catalog/products/products.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { answerWrite, waitFor } from '../writing/answer-write.ts'
import { requireMatch, sourceBody, sourceTag } from '../writing/preconditions.ts'
import { partEchoed, requireEchoed } from '../writing/echoed.ts'
import { shapeReader } from '../writing/shape.ts'
import { refuse, withDecimals } from './members.ts'
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
    const { quantity, cost = null } = withDecimals(members, ['cost'])
    requireEchoed('stock', echoed, { product_id: productId })
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      requireMatch(request, old === undefined ? null : represent(old))
      const stock = await setOwnStock(tx, accountId, [
        { productId, quantity: quantity as number, cost: cost as string | null },
      ])
      const data = represent(await written(tx, accountId, productId))
      return old === undefined
        ? { ...waitFor(stock), status: 201, data, location: `/v1/account/products/${productId}/stock` }
        : { ...waitFor(stock), status: 200, data }
    })
  })
  app.patch(path, (request, reply) => {
    const productId = productIdOf(request)
    const { members, echoed } = partEchoed(readPatch(request.body, 'stock'), GIVEN.stock)
    const patch = withDecimals(members, ['cost'])
    requireEchoed('stock', echoed, { product_id: productId })
    refuse(
      patch['quantity'] === null
        ? [{ name: 'quantity', reason: 'is needed and has no default to go back to; DELETE takes own stock away' }]
        : [],
    )
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      if (old === undefined) throw none()
      requireMatch(request, represent(old))
      const { quantity = old.quantity, cost = old.cost } = patch as { quantity?: number; cost?: string | null }
      const stock = await setOwnStock(tx, accountId, [{ productId, quantity, cost }])
      return { ...waitFor(stock), status: 200, data: represent(await written(tx, accountId, productId)) }
    })
  })
  app.delete(path, (request, reply) => {
    const productId = productIdOf(request)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      if (old === undefined) throw none()
      requireMatch(request, represent(old))
      return { ...waitFor(await clearOwnStock(tx, accountId, [productId])), status: 204 }
    })
  })
}

const none = () => new ShelfwireError('unknown-reference', 'the product has no own stock')

function represent({ productId, quantity, cost }: OwnStockRow) {
  return { product_id: productId, quantity, cost }
}

async function read(reader: Reader, accountId: number, productId: number): Promise<OwnStockRow | undefined> {
  const [row] = await ownStockOf(reader, accountId, [productId])
  return row
}

async function held(tx: Tx, accountId: number, productId: number) {
  if (!(await productLock(tx, accountId, productId)))
    throw new ShelfwireError('unknown-product', 'the account has no such product')
  return read(tx, accountId, productId)
}

async function written(tx: Tx, accountId: number, productId: number): Promise<OwnStockRow> {
  const row = await read(tx, accountId, productId)
  if (row === undefined) throw none()
  return row
}
