import {
  CANCEL_ROTATION,
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  GET_ENDPOINT,
  LIST_ENDPOINTS,
  PATCH_ENDPOINT,
  RESUME_ENDPOINT,
  REWIND_ENDPOINT,
  ROTATE_SECRET,
  SWITCH_SECRET,
  type Endpoint,
} from '../../../contract/panel/endpoints.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Endpoints } from '../../webhooks/endpoints/endpoints.ts'
import { endpointLinksDelete } from '../../webhooks/links/links.sql.ts'
import type { ServeContext } from '../context.ts'
import { endpointBodies, endpointBody, endpointRevision } from './endpoint-body.ts'
import type { PanelApp } from './handle-panel.ts'
import { timeOf } from './represent.ts'
import { requireRevision } from './revision.ts'

type Note = (tx: Tx, details?: Readonly<Record<string, unknown>>) => PromiseLike<unknown>

/** Webhook endpoints of an account. */
export function endpointHandlers(app: PanelApp, context: ServeContext): void {
  const { db } = context

  const read = async (accountId: number, endpointId: number): Promise<Endpoint> => {
    const body = await endpointBody(db, accountId, endpointId)
    if (body === undefined) throw new ShelfwireError('unknown-reference', `the account has no endpoint ${endpointId}`)
    return body
  }
  /** Owners' actions, each with its entry in the audit trail. */
  const noted = (note: Note, details: Readonly<Record<string, unknown>> = {}): Endpoints =>
    context.endpoints((tx) => note(tx, details))
  const storeIdOf = async (accountId: number, slug: string | null): Promise<number | null> => {
    if (slug === null) return null
    const store = (await storesList(db, accountId)).find((row) => row.slug === slug)
    if (store === undefined)
      throw new ShelfwireError('unknown-store', `the account has no store "${slug.slice(0, 80)}"`)
    return store.storeId
  }

  app.handle(LIST_ENDPOINTS, async ({ accountId }) => ({ data: await endpointBodies(db, accountId) }))
  app.handle(GET_ENDPOINT, async ({ accountId, params }) => ({ data: await read(accountId, params.endpoint_id) }))
  app.handle(CREATE_ENDPOINT, async ({ accountId, body, note }) => {
    const { url, events, store = null } = body
    const storeId = await storeIdOf(accountId, store)
    const endpoints = context.endpoints((tx, endpointId) =>
      note(tx, { endpoint_id: endpointId, url: shownUrl(url), events, store }),
    )
    const { endpointId, secret } = await endpoints.create(accountId, { url, kinds: events, storeId })
    return { data: { ...(await read(accountId, endpointId)), secret } }
  })
  app.handle(PATCH_ENDPOINT, async ({ accountId, params, body, request, note }) => {
    const { url, events, store, is_enabled: isEnabled } = body
    const storeId = store === undefined ? undefined : await storeIdOf(accountId, store)
    const endpoints = noted(note, { ...body, ...(url === undefined ? {} : { url: shownUrl(url) }) })
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { kinds: events }),
      ...(storeId === undefined ? {} : { storeId }),
      ...(isEnabled === undefined ? {} : { isEnabled }),
    }
    await endpoints.edit(accountId, params.endpoint_id, changes, (current) =>
      requireRevision(request, endpointRevision(current)),
    )
    return { data: await read(accountId, params.endpoint_id) }
  })
  app.handle(DELETE_ENDPOINT, async ({ accountId, params, note }) => {
    const endpoints = context.endpoints(async (tx, endpointId) => {
      await endpointLinksDelete(tx, accountId, endpointId)
      await note(tx)
    })
    await endpoints.remove(accountId, params.endpoint_id)
    return undefined
  })
  app.handle(ROTATE_SECRET, async ({ accountId, params, body, note }) => {
    const { is_leaked: isLeaked = false, switch_after_hours: hours } = body
    if (isLeaked && hours !== undefined)
      throw new ShelfwireError('invalid-input', 'switch_after_hours cannot be combined with is_leaked', {
        faults: [{ name: 'switch_after_hours', reason: 'cannot be combined with is_leaked' }],
      })
    const { secret } = await noted(note, body).rotate(
      accountId,
      params.endpoint_id,
      isLeaked ? 'leaked' : (hours ?? LIMITS.webhookSecretOverlapHours),
    )
    return { data: { ...(await read(accountId, params.endpoint_id)), secret } }
  })
  app.handle(SWITCH_SECRET, async ({ accountId, params, note }) => {
    await noted(note).switchSecret(accountId, params.endpoint_id)
    return { data: await read(accountId, params.endpoint_id) }
  })
  app.handle(CANCEL_ROTATION, async ({ accountId, params, note }) => {
    await noted(note).cancelRotation(accountId, params.endpoint_id)
    return { data: await read(accountId, params.endpoint_id) }
  })
  app.handle(RESUME_ENDPOINT, async ({ accountId, params, note }) => {
    await noted(note).resume(accountId, params.endpoint_id)
    return { data: await read(accountId, params.endpoint_id) }
  })
  app.handle(REWIND_ENDPOINT, async ({ accountId, params, body, note }) => {
    await noted(note, body).rewind(accountId, params.endpoint_id, timeOf('since', body.since))
    return { data: await read(accountId, params.endpoint_id) }
  })
}

/** A receiver's URL without its query, which may contain a secret. */
function shownUrl(url: string): string {
  if (!URL.canParse(url)) return ''
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
