import { type Answer, call } from '../../api/client.ts'
import { NEW_ENDPOINT } from '../../webhooks/endpoint-fields.tsx'

// A shop is connected in one step: docs/decisions/242-a-shop-is-connected-in-one-step.md.

type Params = { account_id: number }

/** What was made for a shop. What of it is secret is here alone, and cannot be read again. */
export interface Connected {
  /** Null: it could not be made, and the endpoint was. */
  token: string | null
  endpoint: { id: number; url: string; secret: string } | null
}

/** A token for a shop, which needs no purchase prices. @param name what uses it */
export async function makeToken(params: Params, name: string): Promise<string> {
  const body = { name, access: 'connector' as const, sees_costs: false, expires_at: null }
  return (await call('POST /panel/api/accounts/{account_id}/tokens', { params, body })).data.token
}

/**
 * Makes what a shop needs. The endpoint comes first: its address may be refused, and then nothing was made.
 * @param url empty: it asks for changes itself
 */
export async function connectShop(params: Params, { name, url }: { name: string; url: string }): Promise<Connected> {
  const endpoint = url === '' ? null : await makeEndpoint(params, url)
  try {
    return { endpoint, token: await makeToken(params, name) }
  } catch (error) {
    if (endpoint === null) throw error
    // its secret is shown only now, whatever became of the token
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
