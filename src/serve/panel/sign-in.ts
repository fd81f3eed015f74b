import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  ACCEPT_INVITATION,
  CONFIRM_EMAIL,
  GET_SIGN_IN,
  PASSKEY_SIGN_IN,
  PASSKEY_SIGN_IN_OPTIONS,
  READ_LINK,
  REQUEST_PASSWORD_RESET,
  RESET_PASSWORD,
  SIGN_IN,
  SIGN_IN_CODE,
  type LinkFacts,
} from '../../../contract/panel/session.ts'
import { inTransaction } from '../../db/sql.ts'
import { acceptInvitation, readLink, requestReset, resetPassword } from '../../people/links.ts'
import { confirmEmail } from '../../people/new-email.ts'
import { beginPasskeySignIn, signInByPasskey } from '../../people/passkeys.ts'
import type { From } from '../../people/persons.sql.ts'
import { sessionDelete } from '../../people/sessions.sql.ts'
import { signIn, signInByCode, type SignInOutcome } from '../../people/sign-in.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { sessionBody, sessionBodyOf } from './session-body.ts'
import { pageOriginOf, requireCsrfToken, sessionOf, setSessionCookie } from './session.ts'

/** Signing in: by password, code, passkey, or a link from a mail. */
export function signInHandlers(app: PanelApp, context: ServeContext): void {
  const { db, people, publicUrl } = context

  /** Answers a sign-in. The session that the browser had before ends: nobody goes on with it beside the new one. */
  const answer = async (
    { request, reply, from }: { request: FastifyRequest; reply: FastifyReply; from: From },
    outcome: SignInOutcome,
  ) => {
    if (outcome.state === 'code-required') return { data: outcome }
    const earlier = await sessionOf(context, request)
    if (earlier !== undefined) await inTransaction(db, (tx) => sessionDelete(tx, earlier.personId, earlier.sessionId))
    setSessionCookie(request, reply, publicUrl(), outcome.opened.secret)
    return { data: { state: 'signed-in', session: await sessionBodyOf(db, outcome.opened.secret, from) } }
  }

  app.handle(GET_SIGN_IN, async () => ({ data: { sends_mail: people.mailer !== null } }))
  app.handle(SIGN_IN, async (call) => answer(call, await signIn(people, call.body, call.from)))
  app.handle(SIGN_IN_CODE, async (call) => answer(call, await signInByCode(people, call.body, call.from)))
  app.handle(PASSKEY_SIGN_IN_OPTIONS, async ({ request, from }) => ({
    data: await beginPasskeySignIn(people, pageOriginOf(request, publicUrl()), from),
  }))
  app.handle(PASSKEY_SIGN_IN, async (call) =>
    answer(call, await signInByPasskey(people, call.body, pageOriginOf(call.request, publicUrl()), call.from)),
  )
  app.handle(REQUEST_PASSWORD_RESET, async ({ body, from }) => {
    requestReset(people, body.email, from)
    return { data: { state: 'accepted' } }
  })
  app.handle(READ_LINK, async ({ body, from }) => {
    const link = await readLink(people, body.token, from)
    const data: LinkFacts = {
      kind: link.kind,
      email: link.email,
      expires_at: formatTimestamp(link.expiresAt),
      account_name: link.accountName,
      role: link.role,
      has_password: link.hasPassword,
    }
    return { data }
  })
  app.handle(RESET_PASSWORD, async (call) => answer(call, await resetPassword(people, call.body, call.from)))
  app.handle(CONFIRM_EMAIL, async ({ body, from }) => ({
    data: { email: await confirmEmail(people, body.token, from) },
  }))
  app.handle(ACCEPT_INVITATION, async (call) => {
    // a session counts only where no password is sent, and then it has to be the panel that asks
    const session = call.body.password === undefined ? await sessionOf(context, call.request) : undefined
    if (session !== undefined) requireCsrfToken(call.request, session)
    const outcome = await acceptInvitation(people, call.body, session, call.from)
    if (outcome !== null || session === undefined) return outcome === null ? undefined : answer(call, outcome)
    return { data: { state: 'signed-in', session: await sessionBody(db, session) } }
  })
}
