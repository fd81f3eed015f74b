import { type Answer, call } from '../../api/client.ts'
import { NEW_ENDPOINT } from '../../webhooks/endpoint-fields.tsx'

// Connects a shop in one step: docs/decisions/242-a-shop-is-connected-in-one-step.md.

type Params = { account_id: number }

/** The result of connecting a shop. Its secrets exist only here and cannot be read again. */
export interface Connected {
  /** null: creating it failed after the endpoint was created. */
  token: string | null
  endpoint: { id: number; url: string; secret: string } | null
}

/** Creates a token for a shop, which needs no costs. @param name the name of the shop */
export async function makeToken(params: Params, name: string): Promise<string> {
  const body = { name, access: 'connector' as const, sees_costs: false, expires_at: null }
  return (await call('POST /panel/api/accounts/{account_id}/tokens', { params, body })).data.token
}

/**
 * Creates a token, and an endpoint if there is a URL. The endpoint is first, so that nothing is created if its URL is
 * refused.
 * @param url empty: the shop polls for changes
 */
export async function connectShop(params: Params, { name, url }: { name: string; url: string }): Promise<Connected> {
  const endpoint = url === '' ? null : await makeEndpoint(params, url)
  try {
    return { endpoint, token: await makeToken(params, name) }
  } catch (error) {
    if (endpoint === null) throw error
    // the endpoint's secret is shown only now, even if the token failed
    return { endpoint, token: null }
  }
}

async function makeEndpoint(params: Params, url: string): Promise<NonNullable<Connected['endpoint']>> {
  const body = { url, events: [...NEW_ENDPOINT.events], store: null }
  const made: Answer<'POST /panel/api/accounts/{account_id}/endpoints'> = await call(
    'POST /panel/api/accounts/{account_id}/endpoints',
    { params, body },
  )
  const { id, secret } = made.data
  return { id, url, secret }
}
