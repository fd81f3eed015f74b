import { STOCK_PATCH, STOCK_PUT, type Fault, type Shape } from './body-shapes.ts'
import { readAmount, readPieces, takeOrNote } from './numbers.ts'
import { refuse, requireEchoed, requireShape } from './request.ts'
import { idIn, productIn, unknownReference, type Call, type Made, type OwnStock, type Work } from './written.ts'

// Own stock of a product.

const ECHOED = ['product_id']

interface Given {
  quantity?: string | number | null
  cost?: string | number | null
}

/** @throws Problem unknown-reference, also where the product does not exist, as the service does */
export const stockOf = (call: Call): OwnStock => ownStock(call, idIn(call))

/** @throws Problem unknown-reference */
function ownStock({ written }: Call, productId: number): OwnStock {
  const own = written.stock.get(productId)
  if (own === undefined) throw unknownReference('the product has no own stock')
  return own
}

export function putStock(call: Call): Work {
  const given = readGiven(call, STOCK_PUT)
  return async () => {
    const productId = productIn(call)
    const before = call.written.stock.get(productId) ?? null
    await call.match(before)
    return made(call, before, { product_id: productId, quantity: given.quantity ?? 0, cost: given.cost ?? null })
  }
}

export function patchStock(call: Call): Work {
  const given = readGiven(call, STOCK_PATCH)
  return async () => {
    const before = ownStock(call, productIn(call))
    await call.match(before)
    const { quantity = before.quantity, cost = before.cost } = given
    return made(call, before, { ...before, quantity, cost })
  }
}

export function deleteStock(call: Call): Work {
  return async () => {
    const before = ownStock(call, productIn(call))
    await call.match(before)
    const stock = new Map(call.written.stock)
    stock.delete(before.product_id)
    return {
      status: 204,
      next: { stock },
      writes: [{ kind: 'stock', productId: before.product_id, before, now: null }],
    }
  }
}

function made(call: Call, before: OwnStock | null, now: OwnStock): Made {
  const productId = now.product_id
  return {
    status: before === null ? 201 : 200,
    data: now,
    ...(before === null ? { location: `/v1/account/products/${productId}/stock` } : {}),
    next: { stock: new Map(call.written.stock).set(productId, now) },
    writes: [{ kind: 'stock', productId, before, now }],
  }
}

/** The members that a body sets. @throws Problem unknown-product, invalid-input */
function readGiven(call: Call, shape: Shape): { quantity?: number; cost?: string | null } {
  const productId = idIn(call)
  const body = requireShape(call.body, shape, 'stock')
  const { quantity, cost } = body as Given
  const faults: Fault[] = []
  const take = takeOrNote(faults)
  if (quantity === null)
    faults.push({ name: 'quantity', reason: 'is required and has no default; DELETE removes own stock' })
  const pieces = quantity === undefined || quantity === null ? undefined : take('quantity', readPieces(quantity))
  const amount = cost === undefined || cost === null ? cost : take('cost', readAmount(cost))
  refuse('stock', faults)
  requireEchoed('stock', body, ECHOED, { product_id: productId })
  return { ...(pieces === undefined ? {} : { quantity: pieces }), ...(amount === undefined ? {} : { cost: amount }) }
}
