import { memberInsert } from '../src/accounts/members.sql.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import { personInsert } from '../src/people/persons.sql.ts'
import { csrfTokenOf } from '../src/people/secrets.ts'
import { openSession } from '../src/people/sign-in/sessions.ts'
import type { RunningService } from './environment.ts'

/** What a browser with the panel sends: the answer's body, and how long it took until it was there. */
export type Ask = (
  path: string,
  /** `isMissingFine`: 404 is an answer like others. */
  sent?: { method?: string; body?: unknown; isMissingFine?: boolean },
) => Promise<{ ms: number; body: unknown }>

let people = 0

/**
 * Signs in a new owner of an account. A path that begins with `/` is sent as it is, with the account named as the panel names it below
 * `/v1`; others are below the account's part of the panel's API.
 * @throws Error for an answer that is no success
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
