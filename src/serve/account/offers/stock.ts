import { GIVEN } from '../../../../contract/product-resources.ts'
import { DELETE_STOCK, GET_STOCK, PATCH_STOCK, PUT_STOCK } from '../../../../contract/routes/stock.ts'
import { productLock } from '../../../catalog/products/products.sql.ts'
import { ownStockOf } from '../../../catalog/products/stock/own-stock.sql.ts'
import type { OwnStockRow } from '../../../catalog/products/stock/own-stock.sql.ts'
import { clearOwnStock } from '../../../catalog/products/products.ts'
import { replaceOwnStock } from '../../../catalog/products/stock/write-own-stock.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { Check } from '../../../input/check.ts'
import { BOUNDS, readDecimal } from '../../../input/decimal.ts'
import { readQuantity } from '../../../input/quantity.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite, waitFor } from '../../writing/answer-write.ts'
import { requireMatch } from '../../writing/preconditions.ts'
import { splitEchoedMembers, requireEchoed } from '../../writing/echoed.ts'
import { answerData } from '../answer-read.ts'
import { stockChange, stockMembers as represent } from './stock-members.ts'

/** /v1/account/products/{id}/stock: own stock and its cost, a resource of its own because they change often. */
export const stockHandlers: Handlers = (app, context) => {
  handle(app, GET_STOCK, async (call) => {
    const row = await read(context.db, call.caller.accountId, call.params.id)
    if (row === undefined) throw none()
    return answerData(call, represent(row))
  })
  handle(app, PUT_STOCK, ({ params: { id: productId }, body, request, reply }) => {
    const { members, echoed } = splitEchoedMembers(body, GIVEN.stock)
    const check = new Check()
    const quantity = quantityOf(check, members.quantity)
    const cost = costOf(check, members.cost) ?? null
    check.done('stock')
    requireEchoed('stock', echoed, { product_id: productId })
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      requireMatch(request, old === undefined ? null : represent(old))
      const now = { productId, quantity, cost }
      const stock = await replaceOwnStock(tx, accountId, now, old)
      const data = represent(now)
      return old === undefined
        ? {
            ...waitFor(stock),
            product: { id: productId, change: stockChange(old, data) },
            status: 201,
            data,
            location: `/v1/account/products/${productId}/stock`,
          }
        : { ...waitFor(stock), product: { id: productId, change: stockChange(old, data) }, status: 200, data }
    })
  })
  handle(app, PATCH_STOCK, ({ params: { id: productId }, body, request, reply }) => {
    const { members, echoed } = splitEchoedMembers(body, GIVEN.stock)
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
      const now = { productId, quantity, cost }
      const stock = await replaceOwnStock(tx, accountId, now, old)
      const data = represent(now)
      return { ...waitFor(stock), product: { id: productId, change: stockChange(old, data) }, status: 200, data }
    })
  })
  handle(app, DELETE_STOCK, ({ params: { id: productId }, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      const old = await held(tx, accountId, productId)
      if (old === undefined) throw none()
      requireMatch(request, represent(old))
      return {
        ...waitFor(await clearOwnStock(tx, accountId, [productId])),
        product: { id: productId, change: stockChange(old, null) },
        status: 204,
      }
    }),
  )
}

const quantityOf = (check: Check, given: string | number) => check.take('quantity', readQuantity(given), 0)

/** undefined: not given; null: not known. */
const costOf = (check: Check, given: string | number | null | undefined) =>
  given === undefined || given === null ? given : check.take('cost', readDecimal(given, BOUNDS.amount), '0')

const none = () => new ShelfwireError('unknown-reference', 'the product has no own stock')

async function read(reader: Reader, accountId: number, productId: number): Promise<OwnStockRow | undefined> {
  const [row] = await ownStockOf(reader, accountId, [productId])
  return row
}

async function held(tx: Tx, accountId: number, productId: number) {
  // sent together: PostgreSQL runs the second when the first has its lock
  const locking = productLock(tx, accountId, productId)
  const reading = ownStockOf(tx, accountId, [productId]).execute()
  if (!(await locking)) throw new ShelfwireError('unknown-product', 'the account has no such product')
  return (await reading)[0]
}
