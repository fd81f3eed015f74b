import { LIST_CUSTOMER_GROUPS } from '../../../contract/routes/catalog.ts'
import { groupsList } from '../../catalog/settings/stores/groups.sql.ts'
import { answer, tagOf } from '../answer.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /v1/customer-groups */
export const customerGroupHandlers: Handlers = (app, { db }) => {
  handle(app, LIST_CUSTOMER_GROUPS, async ({ caller, request, reply }) => {
    const groups = await groupsList(db, caller.accountId)
    const body = JSON.stringify({
      data: groups.map(({ groupId, name, isDefault }) => ({ id: groupId, name, is_default: isDefault })),
    })
    return answer(request, reply, body, tagOf(body))
  })
}
