import { GIVEN } from '../../../contract/product-resources.ts'
import { DELETE_STOCK, GET_STOCK, PATCH_STOCK, PUT_STOCK } from '../../../contract/routes/stock.ts'
import { productLock } from '../../catalog/products/products.sql.ts'
import { ownStockOf } from '../../catalog/products/own-stock.sql.ts'
import type { OwnStockRow } from '../../catalog/products/own-stock.sql.ts'
import { clearOwnStock, setOwnStock } from '../../catalog/products/products.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { answerWrite, waitFor } from '../writing/answer-write.ts'
import { requireMatch } from '../writing/preconditions.ts'
import { partEchoed, requireEchoed } from '../writing/echoed.ts'
import { answerData } from './answer-read.ts'
import { toDecimals } from './decimals.ts'
import { refuse } from './members.ts'

/** /v1/account/products/{id}/stock: own stock and its cost, apart from the product because they change often. */
export const stockHandlers: Handlers = (app, context) => {
  handle(app, GET_STOCK, async (call) => {
    const row = await read(context.db, call.caller.accountId, call.params.id)
    if (row === undefined) throw none()
    return answerData(call, represent(row))
  })
  handle(app, PUT_STOCK, ({ params: { id: productId }, body, request, reply }) => {
    const { members, echoed } = partEchoed(body, GIVEN.stock)
    const { quantity, cost = null } = toDecimals(members, ['cost'])
    requireEchoed('stock', echoed, { product_id: productId })
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      requireMatch(request, old === undefined ? null : represent(old))
      const stock = await setOwnStock(tx, accountId, [{ productId, quantity, cost }])
      const data = represent(await written(tx, accountId, productId))
      return old === undefined
        ? { ...waitFor(stock), status: 201, data, location: `/v1/account/products/${productId}/stock` }
        : { ...waitFor(stock), status: 200, data }
    })
  })
  handle(app, PATCH_STOCK, ({ params: { id: productId }, body, request, reply }) => {
    const { members, echoed } = partEchoed(body, GIVEN.stock)
    const patch = toDecimals(members, ['cost'])
    requireEchoed('stock', echoed, { product_id: productId })
    if (patch.quantity === null)
      refuse([{ name: 'quantity', reason: 'is required and has no default; DELETE removes own stock' }])
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      if (old === undefined) throw none()
      requireMatch(request, represent(old))
      const { cost = old.cost } = patch
      const quantity = patch.quantity ?? old.quantity
      const stock = await setOwnStock(tx, accountId, [{ productId, quantity, cost }])
      return { ...waitFor(stock), status: 200, data: represent(await written(tx, accountId, productId)) }
    })
  })
  handle(app, DELETE_STOCK, ({ params: { id: productId }, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      if (old === undefined) throw none()
      requireMatch(request, represent(old))
      return { ...waitFor(await clearOwnStock(tx, accountId, [productId])), status: 204 }
    }),
  )
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
