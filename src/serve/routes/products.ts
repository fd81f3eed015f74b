import { answerPage } from '../page.ts'
import type { Route } from '../context.ts'

/** GET /v1/products */
export const products: Route = (app, context) => {
  app.get('/products', (request, reply) => answerPage(context, 'products', request, reply))
}
