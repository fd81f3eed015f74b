import { answer } from '../answer.ts'
import type { Route } from '../context.ts'
import { findPayload } from '../one.ts'

/** GET /v1/products/{id} */
export const product: Route = (app, context) => {
  // chained, not awaited: one promise less on the busiest route
  app.get('/products/:id', (request, reply) =>
    findPayload(context, request).then((row) =>
      answer(request, reply, `{"data":{${row.content},${row.price}}}`, row.contentTag + row.priceTag),
    ),
  )
}
