import { answerPage } from '../page.ts'
import type { Route } from '../context.ts'

/** GET /v1/prices */
export const prices: Route = (app, context) => {
  app.get('/prices', (request, reply) => answerPage(context, 'prices', request, reply))
}
