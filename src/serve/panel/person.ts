import { BEGIN_TOTP, CONFIRM_TOTP, REMOVE_TOTP, RENEW_RECOVERY_CODES } from '../../../contract/panel/factors.ts'
import {
  CHANGE_PASSWORD,
  END_SESSION,
  END_SESSIONS,
  GET_SESSION,
  LIST_MADE,
  LIST_PERSON_EVENTS,
  LIST_SESSIONS,
  PATCH_PERSON,
  REQUEST_EMAIL,
  REVOKE_MADE,
  SIGN_OUT,
} from '../../../contract/panel/session.ts'
import { BEGIN_PROVIDER_LINK, LINK_PROVIDER, UNLINK_PROVIDER } from '../../../contract/panel/provider-sign-in.ts'
import { PANEL_PATH } from '../../../contract/panel/route.ts'
import { revokeMade } from '../../people/made.ts'
import { endpointLinksMade, invitationsMade, tokensMade, type MadeRow } from '../../people/made.sql.ts'
import { requestEmail } from '../../people/new-email.ts'
import {
  beginTotp,
  changePassword,
  confirmTotp,
  endSession,
  endSessions,
  removeTotp,
  rename,
  renewRecoveryCodes,
} from '../../people/own-account.ts'
import { beginProviderLink, linkProvider, unlinkProvider } from '../../people/provider/provider-link.ts'
import { signOut } from '../../people/provider/provider-sign-out.ts'
import { personEventsList } from '../../people/persons.sql.ts'
import { sessionsList } from '../../people/sign-in/sessions.sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { sessionBody, sessionBodyOf } from './session-body.ts'
import { setSessionCookie } from './session.ts'

/** The person's own session, name, password and codes. */
export function personHandlers(app: PanelApp, context: ServeContext): void {
  const { db, people, publicUrl, wake } = context

  app.handle(GET_SESSION, async ({ session }) => ({ data: await sessionBody(db, session) }))
  app.handle(SIGN_OUT, async ({ session, request, reply }) => {
    const url = await signOut(people, session, `${publicUrl()}${PANEL_PATH}/sign-in`)
    setSessionCookie(request, reply, publicUrl(), null)
    return { data: { provider_url: url } }
  })
  app.handle(LIST_SESSIONS, async ({ session }) => ({
    data: (await sessionsList(db, session.personId)).map((row) => ({
      id: row.sessionId,
      is_current: row.sessionId === session.sessionId,
      created_at: formatTimestamp(row.createdAt),
      seen_at: formatTimestamp(row.seenAt),
      expires_at: formatTimestamp(row.expiresAt),
      address: row.address,
      user_agent: row.userAgent,
    })),
  }))
  app.handle(END_SESSIONS, async ({ session, query, request, reply, from }) => {
    await endSessions(people, session.personId, query.keep_current ? session.sessionId : null, from)
    if (!query.keep_current) setSessionCookie(request, reply, publicUrl(), null)
    return undefined
  })
  app.handle(END_SESSION, async ({ session, params, request, reply }) => {
    await endSession(people, session, params.session_id)
    if (params.session_id === session.sessionId) setSessionCookie(request, reply, publicUrl(), null)
    return undefined
  })
  app.handle(PATCH_PERSON, async ({ session, body, from }) => {
    await rename(people, session.personId, body.name)
    return { data: await sessionBodyOf(db, session.secret, from) }
  })
  app.handle(REQUEST_EMAIL, async ({ session, body, from }) => {
    await requestEmail(people, session, body, from)
    return { data: { state: 'accepted' } }
  })
  app.handle(CHANGE_PASSWORD, async ({ session, body, request, reply, from }) => {
    const secret = await changePassword(people, session, body, from)
    setSessionCookie(request, reply, publicUrl(), secret)
    return { data: await sessionBodyOf(db, secret, from) }
  })
  app.handle(BEGIN_TOTP, async ({ session, body }) => ({
    data: await beginTotp(people, session, body.password),
  }))
  app.handle(CONFIRM_TOTP, async ({ session, body, request, reply, from }) => {
    const { codes, secret } = await confirmTotp(people, session, body.code, from)
    setSessionCookie(request, reply, publicUrl(), secret)
    return { data: { recovery_codes: codes, session: await sessionBodyOf(db, secret, from) } }
  })
  app.handle(RENEW_RECOVERY_CODES, async ({ session, body, from }) => ({
    data: { recovery_codes: await renewRecoveryCodes(people, session, body.password, from) },
  }))
  app.handle(REMOVE_TOTP, async ({ session, body, from }) => {
    await removeTotp(people, session, body.password, from)
    return { data: await sessionBodyOf(db, session.secret, from) }
  })
  const redirectUri = () => `${publicUrl()}${PANEL_PATH}/sign-in`
  app.handle(BEGIN_PROVIDER_LINK, async ({ session, body }) => ({
    data: await beginProviderLink(people, session, { password: body.password, redirectUri: redirectUri() }),
  }))
  app.handle(LINK_PROVIDER, async ({ session, body, from }) => {
    await linkProvider(people, session, { ...body, redirectUri: redirectUri() }, from)
    return { data: await sessionBodyOf(db, session.secret, from) }
  })
  app.handle(UNLINK_PROVIDER, async ({ session, body, from }) => {
    await unlinkProvider(people, session, body.password, from)
    return { data: await sessionBodyOf(db, session.secret, from) }
  })
  app.handle(LIST_MADE, async ({ session: { personId } }) => {
    const [tokens, invitations, links] = await Promise.all([
      tokensMade(db, personId),
      invitationsMade(db, personId),
      endpointLinksMade(db, personId),
    ])
    const represent = (kind: string) => (row: MadeRow) => ({
      kind,
      id: row.id,
      account_id: row.accountId,
      account_name: row.accountName,
      name: row.name,
      created_at: formatTimestamp(row.createdAt),
      may_be_of_others: row.isOfOthers,
    })
    return {
      data: [
        ...tokens.map(represent('token')),
        ...invitations.map(represent('invitation')),
        ...links.map(represent('endpoint-link')),
      ],
    }
  })
  app.handle(REVOKE_MADE, async ({ session, body, from }) => {
    const { tokens, invitations, endpoint_links: endpointLinks } = body
    for (const accountId of await revokeMade(people, session, { tokens, invitations, endpointLinks }, from))
      wake.notify('directory', accountId)
    return undefined
  })
  app.handle(LIST_PERSON_EVENTS, async ({ session }) => ({
    data: (await personEventsList(db, session.personId, LIMITS.personEventsShown)).map((row) => ({
      at: formatTimestamp(row.at),
      kind: row.kind,
      address: row.address,
      user_agent: row.userAgent,
    })),
  }))
}
