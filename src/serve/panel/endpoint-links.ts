import {
  CREATE_ENDPOINT_LINK,
  GET_LINKED_ENDPOINT,
  LIST_ENDPOINT_LINKS,
  REVOKE_ENDPOINT_LINK,
  type EndpointLink,
} from '../../../contract/panel/endpoints.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { inTransaction } from '../../db/sql.ts'
import { requireName } from '../../people/own-account.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { endpointGet } from '../../webhooks/endpoints/endpoints.sql.ts'
import { makeEndpointLink } from '../../webhooks/links/links.ts'
import { endpointLinkDelete, endpointLinksList, type EndpointLinkRow } from '../../webhooks/links/links.sql.ts'
import type { ServeContext } from '../context.ts'
import { endpointBody } from './endpoint-body.ts'
import type { PanelApp } from './handle-panel.ts'
import { must } from '../../platform/must.ts'

const represent = (row: EndpointLinkRow): EndpointLink => ({
  id: row.linkId,
  name: row.name,
  created_at: formatTimestamp(row.createdAt),
  created_by: row.createdBy,
  expires_at: formatTimestamp(row.expiresAt),
  used_at: timeOrNull(row.usedAt),
})

/** Links that give the developer of a receiver access to one endpoint, and the routes for their holders. */
export function endpointLinkHandlers(app: PanelApp, { db, publicUrl }: ServeContext): void {
  app.handle(LIST_ENDPOINT_LINKS, async ({ accountId, params }) => {
    if ((await endpointGet(db, accountId, params.endpoint_id)) === undefined)
      throw new ShelfwireError('unknown-reference', `the account has no endpoint ${params.endpoint_id}`)
    return { data: (await endpointLinksList(db, accountId, params.endpoint_id)).map(represent) }
  })
  app.handle(CREATE_ENDPOINT_LINK, async ({ accountId, params, body, session, note }) => {
    const name = requireName(body.name)
    const { hours } = body
    const made = await inTransaction(db, async (tx) => {
      const link = await makeEndpointLink(tx, accountId, params.endpoint_id, {
        name,
        hours,
        createdBy: session.personId,
      })
      await note(tx, { link_id: link.linkId, name, hours })
      return link
    })
    const row = (await endpointLinksList(db, accountId, params.endpoint_id)).find(
      (entry) => entry.linkId === made.linkId,
    )
    if (row === undefined) throw new ShelfwireError('conflict', 'the link was ended meanwhile')
    return { data: { ...represent(row), link: `${publicUrl()}/panel/endpoint#${made.token}` } }
  })
  app.handle(REVOKE_ENDPOINT_LINK, async ({ accountId, params, note }) => {
    await inTransaction(db, async (tx) => {
      if (!(await endpointLinkDelete(tx, accountId, params.endpoint_id, params.link_id)))
        throw new ShelfwireError('unknown-reference', `the endpoint has no link ${params.link_id}`)
      await note(tx)
    })
    return undefined
  })
  app.handle(GET_LINKED_ENDPOINT, async ({ link }) => {
    const [body, account] = await Promise.all([
      endpointBody(db, link.accountId, link.endpointId),
      accountGet(db, link.accountId),
    ])
    if (body === undefined) throw new ShelfwireError('link-ended', 'the endpoint of this link was deleted')
    return {
      data: {
        ...body,
        account_name: must(account).name,
        link_name: link.name,
        link_expires_at: formatTimestamp(link.expiresAt),
      },
    }
  })
}
