import { LIST_STORES } from '../../../contract/routes/catalog.ts'
import { answer, tagOf } from '../answer.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /v1/stores */
export const storeHandlers: Handlers = (app, context) => {
  handle(app, LIST_STORES, async ({ caller, request, reply }) => {
    const active = await context.stores.active(caller.accountId)
    const data = active.map(({ storeId, slug, name, locale, currency, isDefault }) => ({
      id: storeId,
      slug,
      name,
      locale,
      currency,
      is_default: isDefault,
    }))
    const body = JSON.stringify({ data })
    return answer(request, reply, body, tagOf(body))
  })
}
