import { answer } from '../answer.ts'
import type { Route } from '../context.ts'
import { findPayload } from '../one.ts'

/** GET /v1/products/{id} */
export const product: Route = (app, context) => {
  app.get('/products/:id', async (request, reply) => {
    const row = await findPayload(context, request)
    return answer(request, reply, `{"data":{${row.content},${row.price}}}`, row.contentTag + row.priceTag)
  })
}
