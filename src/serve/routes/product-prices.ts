import { hash } from 'node:crypto'
import { answer } from '../answer.ts'
import type { Route } from '../context.ts'
import { findPayload } from '../one.ts'

/** GET /v1/prices/{id} */
export const productPrices: Route = (app, context) => {
  app.get('/prices/:id', async (request, reply) => {
    const row = await findPayload(context, request)
    const body = `{"data":{"id":${row.productId},"sku":${JSON.stringify(row.sku)},${row.price}}}`
    return answer(request, reply, body, hash('sha256', body, 'base64url').slice(0, 24))
  })
}
