import {
  CREATE_TOKEN,
  LIST_TOKEN_REQUESTS,
  LIST_TOKENS,
  REVOKE_TOKEN,
  ROTATE_TOKEN,
  type Token,
  type TokenRequest,
} from '../../../contract/panel/tokens.ts'
import { createToken } from '../../accounts/create-token.ts'
import { rotateToken } from '../../accounts/rotate-token.ts'
import { tokenRequestsPage } from '../../accounts/token-requests.sql.ts'
import { hasToken, tokenRevoke, tokensList } from '../../accounts/tokens.sql.ts'
import { inTransaction } from '../../db/sql.ts'
import { sendAlerts, alertOwners } from '../../people/mails/alerts.ts'
import { requireName } from '../../people/own-account.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { pageOf, timeOf } from './represent.ts'
import { nowMs } from '../../platform/time/clock.ts'

type TokenRow = Awaited<ReturnType<typeof tokensList>>[number]

function represent(row: TokenRow): Token {
  const isExpired = row.expiresAt !== null && row.expiresAt.getTime() <= nowMs()
  return {
    id: row.tokenId,
    name: row.name,
    access: row.access,
    sees_costs: row.seesCosts,
    state: row.revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active',
    created_at: formatTimestamp(row.createdAt),
    expires_at: timeOrNull(row.expiresAt),
    revoked_at: timeOrNull(row.revokedAt),
    last_used_at: timeOrNull(row.lastUsedAt),
  }
}

type RequestRow = Awaited<ReturnType<typeof tokenRequestsPage>>[number]

const representRequest = (row: RequestRow): TokenRequest => ({
  id: row.number,
  at: row.at.toISOString(),
  method: row.method,
  route: row.route,
  address: row.address,
  status: row.status,
  code: row.code,
  duration_ms: row.durationMs,
  request_id: row.requestId,
  left_out: row.leftOut,
})

/** Tokens of an account. */
export function tokenHandlers(app: PanelApp, { db, people, wake }: ServeContext): void {
  const shownOnce = async (accountId: number, made: { tokenId: number; token: string }) => {
    const row = (await tokensList(db, accountId)).find((entry) => entry.tokenId === made.tokenId)
    if (row === undefined) throw new Error('a token that was just created is not found')
    return { data: { ...represent(row), token: made.token } }
  }

  app.handle(LIST_TOKENS, async ({ accountId }) => ({
    data: (await tokensList(db, accountId)).toReversed().map(represent),
  }))
  app.handle(CREATE_TOKEN, async ({ accountId, session, body, from, note }) => {
    const { access, sees_costs: seesCosts = true, expires_at: text = null } = body
    const name = requireName(body.name)
    const expiresAt = text === null ? null : timeOf('expires_at', text)
    if (expiresAt !== null && expiresAt.getTime() <= nowMs()) {
      const reason = 'must be in the future'
      throw new ShelfwireError('invalid-input', `expires_at ${reason}`, { faults: [{ name: 'expires_at', reason }] })
    }
    const made = await inTransaction(db, async (tx) => {
      const created = await createToken(tx, {
        accountId,
        name,
        access,
        seesCosts,
        expiresAt,
        createdBy: session.personId,
      })
      await note(tx, {
        token_id: created.tokenId,
        name,
        access,
        sees_costs: seesCosts,
        expires_at: timeOrNull(expiresAt),
      })
      if (access === 'full')
        await alertOwners(tx, people, accountId, (words) => words.tokenCreated(session.email), from)
      return created
    })
    sendAlerts(people)
    return shownOnce(accountId, made)
  })
  app.handle(ROTATE_TOKEN, async ({ accountId, session, params, body, from, note }) => {
    const { overlap_hours: hours } = body
    const made = await inTransaction(db, async (tx) => {
      const created = await rotateToken(tx, accountId, params.token_id, hours, session.personId)
      await note(tx, { new_token_id: created.tokenId, overlap_hours: hours })
      if (created.access === 'full')
        await alertOwners(tx, people, accountId, (words) => words.tokenRotated(session.email), from)
      return created
    })
    wake.notify('directory', accountId)
    sendAlerts(people)
    return shownOnce(accountId, made)
  })
  app.handle(REVOKE_TOKEN, async ({ accountId, params, note }) => {
    await inTransaction(db, async (tx) => {
      if ((await tokenRevoke(tx, params.token_id, accountId)) === undefined)
        throw new ShelfwireError('unknown-reference', `the account has no token ${params.token_id} that is not revoked`)
      await note(tx)
    })
    wake.notify('directory', accountId)
    return undefined
  })
  app.handle(LIST_TOKEN_REQUESTS, async ({ accountId, params, query }) => {
    const { before, per_page: perPage, failed } = query
    if (!(await hasToken(db, accountId, params.token_id)))
      throw new ShelfwireError('unknown-reference', `the account has no token ${params.token_id}`)
    const rows = await tokenRequestsPage(db, accountId, params.token_id, { before, failed, limit: perPage + 1 })
    return pageOf(rows, perPage, (row) => row.number, representRequest)
  })
}
