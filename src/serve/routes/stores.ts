import { hash } from 'node:crypto'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'

/** GET /v1/stores */
export const stores: Route = (app, context) => {
  app.get('/stores', async (request, reply) => {
    const active = await context.stores.active(callerOf(request).accountId)
    const data = active.map(({ storeId, slug, name, locale, currency, isDefault }) => ({
      id: storeId,
      slug,
      name,
      locale,
      currency,
      is_default: isDefault,
    }))
    const body = JSON.stringify({ data })
    return answer(request, reply, body, hash('sha256', body, 'base64url').slice(0, 24))
  })
}
