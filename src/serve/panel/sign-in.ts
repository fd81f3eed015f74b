import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  ACCEPT_INVITATION,
  CONFIRM_EMAIL,
  READ_LINK,
  RESET_PASSWORD,
  type LinkFacts,
} from '../../../contract/panel/links.ts'
import {
  BEGIN_PROVIDER_SIGN_IN,
  PROVIDER_SIGN_IN,
  PROVIDER_SIGN_OUT,
} from '../../../contract/panel/provider-sign-in.ts'
import {
  GET_SIGN_IN,
  PASSKEY_SIGN_IN,
  PASSKEY_SIGN_IN_OPTIONS,
  REQUEST_PASSWORD_RESET,
  SIGN_IN,
  SIGN_IN_CODE,
} from '../../../contract/panel/session.ts'
import { PANEL_PATH } from '../../../contract/panel/route.ts'
import { accountExists } from '../../accounts/accounts.sql.ts'
import { inTransaction } from '../../db/sql.ts'
import { keepDevice } from '../../people/sign-in/known-devices.ts'
import { acceptInvitation, readLink, requestReset, resetPassword } from '../../people/links.ts'
import { confirmEmail } from '../../people/new-email.ts'
import { beginPasskeySignIn, signInByPasskey } from '../../people/sign-in/passkeys.ts'
import type { From } from '../../people/persons.sql.ts'
import { beginProviderSignIn, signInByProvider } from '../../people/provider/provider-sign-in.ts'
import { signOutByProvider } from '../../people/provider/provider-sign-out.ts'
import { sessionDelete } from '../../people/sign-in/sessions.sql.ts'
import { findSession, sessionEndReason } from '../../people/sign-in/sessions.ts'
import { signIn, signInByCode, type SignInOutcome } from '../../people/sign-in/sign-in.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { representPasskey } from './passkeys.ts'
import { sessionBody, sessionBodyOf } from './session-body.ts'
import {
  deviceSecretOf,
  pageOriginOf,
  requireCsrfToken,
  sessionOf,
  sessionSecretOf,
  setDeviceCookie,
  setSessionCookie,
} from './session.ts'

/** Answers sign-ins. The browser's earlier session ends, so that nobody can use it besides the new one. */
export function openSignInAnswers(context: ServeContext) {
  const { db, publicUrl } = context
  return async (
    { request, reply, from }: { request: FastifyRequest; reply: FastifyReply; from: From },
    outcome: SignInOutcome,
  ) => {
    if (outcome.state === 'code-required') return { data: outcome }
    // this look-up is not charged to the address: the limit on sign-ins bounds it
    const secret = sessionSecretOf(request, publicUrl())
    const earlier = secret === null ? undefined : await findSession(db, secret, from)
    if (earlier !== undefined)
      await inTransaction(db, (tx) => sessionDelete(tx, earlier.personId, earlier.sessionId, null))
    setSessionCookie(request, reply, publicUrl(), outcome.opened.secret)
    const device = await keepDevice(db, outcome.opened.personId, deviceSecretOf(request, publicUrl()))
    if (device !== null) setDeviceCookie(request, reply, publicUrl(), device)
    const { tookOver } = outcome
    return {
      data: {
        state: 'signed-in',
        session: await sessionBodyOf(db, outcome.opened.secret, from),
        ...(tookOver === true ? { took_over: tookOver } : {}),
      },
    }
  }
}

/** Signing in: by password, code, passkey, provider, or a link from a mail. */
export function signInHandlers(app: PanelApp, context: ServeContext): void {
  const { db, people, publicUrl } = context
  const answer = openSignInAnswers(context)

  const deviceOf = ({ request }: { request: FastifyRequest }) => deviceSecretOf(request, publicUrl())

  app.handle(GET_SIGN_IN, async ({ request }) => {
    const secret = sessionSecretOf(request, publicUrl())
    return {
      data: {
        sends_mail: people.mailer !== null,
        awaits_owner: !(await accountExists(db)),
        local: people.isLocalSignIn,
        provider: people.provider === null ? null : { label: people.provider.settings.label },
        ended: secret === null ? null : await sessionEndReason(db, secret),
      },
    }
  })
  app.handle(SIGN_IN, async (call) =>
    answer(call, await signIn(people, { ...call.body, device: deviceOf(call) }, call.from)),
  )
  app.handle(SIGN_IN_CODE, async (call) =>
    answer(call, await signInByCode(people, { ...call.body, device: deviceOf(call) }, call.from)),
  )
  app.handle(PASSKEY_SIGN_IN_OPTIONS, async ({ request, from }) => ({
    data: await beginPasskeySignIn(people, pageOriginOf(request, publicUrl()), from),
  }))
  app.handle(PASSKEY_SIGN_IN, async (call) =>
    answer(call, await signInByPasskey(people, call.body, pageOriginOf(call.request, publicUrl()), call.from)),
  )
  // always of the service's configured URL: the provider accepts only the registered one, whatever host name the browser uses
  const redirectUri = () => `${publicUrl()}${PANEL_PATH}/sign-in`
  app.handle(BEGIN_PROVIDER_SIGN_IN, async (call) => ({
    data: await beginProviderSignIn(
      people,
      { again: call.body.again, redirectUri: redirectUri(), device: deviceOf(call) },
      call.from,
    ),
  }))
  app.handle(PROVIDER_SIGN_IN, async (call) =>
    answer(call, await signInByProvider(people, { ...call.body, redirectUri: redirectUri() }, call.from)),
  )
  app.handle(PROVIDER_SIGN_OUT, async ({ body, from }) => {
    await signOutByProvider(people, body.logout_token, from)
    return { data: { state: 'signed-out' } }
  })
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
      factors:
        link.factors === null
          ? null
          : { passkeys: link.factors.passkeys.map(representPasskey), has_codes: link.factors.hasCodes },
    }
    return { data }
  })
  app.handle(RESET_PASSWORD, async (call) => {
    const { token, password, keep_passkeys: keepPasskeys = [], keep_codes: keepsCodes = true } = call.body
    return answer(call, await resetPassword(people, { token, password, keepPasskeys, keepsCodes }, call.from))
  })
  app.handle(CONFIRM_EMAIL, async ({ body, request, from }) => ({
    data: { email: await confirmEmail(people, body.token, await sessionOf(context, request), from) },
  }))
  app.handle(ACCEPT_INVITATION, async (call) => {
    // a session is used only if no password is sent; the request must then come from the panel
    const session = call.body.password === undefined ? await sessionOf(context, call.request) : undefined
    if (session !== undefined) requireCsrfToken(call.request, session)
    const outcome = await acceptInvitation(people, call.body, session, call.from)
    if (outcome !== null || session === undefined) return outcome === null ? undefined : answer(call, outcome)
    return { data: { state: 'signed-in', session: await sessionBody(db, session) } }
  })
}
