import { memberInsert } from '../src/accounts/members.sql.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import { personInsert } from '../src/people/persons.sql.ts'
import { csrfTokenOf } from '../src/people/secrets.ts'
import { openSession } from '../src/people/sign-in/sessions.ts'
import type { RunningService } from './environment.ts'

/**
 * Sends a request as the panel in a browser does. Returns the parsed answer, and the milliseconds until it was
 * complete.
 */
export type Ask = (
  path: string,
  /** `isMissingFine`: accept a 404 as an answer. */
  sent?: { method?: string; body?: unknown; isMissingFine?: boolean },
) => Promise<{ ms: number; body: unknown }>

let people = 0

/**
 * Signs in a new owner of an account. A path that begins with `/` is sent unchanged, with the header that names the account below
 * `/v1`; other paths are below the account's part of the panel's API.
 * @throws Error for an answer that is not a success
 */
export async function openPanelSession(db: Db, { url }: RunningService, accountId: number): Promise<Ask> {
  const email = `owner-${accountId}-${Date.now()}-${people++}@example.com`
  const secret = await inTransaction(db, async (tx) => {
    const personId = await personInsert(tx, { email, name: 'Owner', passwordHash: '-' })
    await memberInsert(tx, accountId, { email, role: 'owner', personId })
    return (await openSession(tx, personId, { address: '127.0.0.1', userAgent: 'bench' })).secret
  })
  const headers = {
    'Content-Type': 'application/json',
    'Shelfwire-Account': String(accountId),
    Cookie: `shelfwire_session=${secret}`,
    'X-CSRF-Token': csrfTokenOf(secret),
  }
  return async (path, { method = 'GET', body, isMissingFine = false } = {}) => {
    const from = performance.now()
    const response = await fetch(url + (path.startsWith('/') ? path : `/panel/api/accounts/${accountId}/${path}`), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const ms = performance.now() - from
    if (!response.ok && !(isMissingFine && response.status === 404))
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
    return { ms, body: JSON.parse(text) }
  }
}
