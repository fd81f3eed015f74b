import { StockPatch, StockPut, StockResource } from '../product-resources.ts'
import { readRoute, writeRoute } from '../route.ts'
import { ofProduct } from './products.ts'
import { WRITES } from './write-note.ts'

// Own stock of a product.

const one = { ...ofProduct, path: '/v1/account/products/{id}/stock', tag: 'stock' } as const
const answer = { data: StockResource }

export const GET_STOCK = readRoute({
  ...one,
  id: 'getStock',
  summary: 'Read own stock',
  description: 'Answers 404 if the product has no own stock.',
  answer,
  returns: 'The product’s own stock.',
  problems: ['unknown-product', 'unknown-reference'],
})

export const PUT_STOCK = writeRoute({
  ...one,
  id: 'putStock',
  method: 'put',
  summary: 'Set own stock',
  description: `Answers 201 if the product had no own stock before. ${WRITES}`,
  body: { noun: 'stock', schema: StockPut },
  answer,
  returns: 'The product’s own stock as it is now.',
  problems: ['unknown-product'],
  statuses: [200, 201],
})

export const PATCH_STOCK = writeRoute({
  ...one,
  id: 'patchStock',
  method: 'patch',
  summary: 'Change own stock',
  description: WRITES,
  body: { noun: 'stock', schema: StockPatch },
  answer,
  returns: 'The product’s own stock as it is now.',
  problems: ['unknown-product', 'unknown-reference'],
  statuses: [200],
})

export const DELETE_STOCK = writeRoute({
  ...one,
  id: 'deleteStock',
  method: 'delete',
  summary: 'Remove own stock',
  description: 'The product is then sold only from suppliers’ stock.',
  problems: ['unknown-product', 'unknown-reference'],
  statuses: [204],
})

export const STOCK_ROUTES = [GET_STOCK, PUT_STOCK, PATCH_STOCK, DELETE_STOCK] as const
