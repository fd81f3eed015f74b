import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { closed, Flag, Id, Text } from '../values.ts'
import { Data, List, panelRoute, Time, TimeOrNull } from './route.ts'

// Signing in and out, and the person's own password, second factor, passkeys and sessions.
//
// A session is an HttpOnly cookie that only the service sets. `csrf_token` is read from GET /panel/api/session and sent as
// X-CSRF-Token with every POST, PUT, PATCH and DELETE. Routes of `panelAccess: 'visitor'` need neither.

export const ROLES = ['owner', 'member'] as const

/** An account that the person is a member of. */
export const OwnAccount = Type.Object({
  id: Id,
  name: Text,
  currency: Text,
  locale: Text,
  time_zone: Type.String({ description: 'IANA name, such as Europe/Berlin.' }),
  role: OneOf(ROLES, { description: 'owner: everything; member: everything but tokens and people.' }),
})

export const Session = Type.Object({
  id: Id,
  csrf_token: Type.String({ description: 'To be sent as X-CSRF-Token with every write of this session.' }),
  created_at: Time('When the person signed in.'),
  idle_until: Time('When the session ends unless it is used before.'),
  expires_at: Time('When it ends in any case.'),
  person: Type.Object({
    id: Id,
    email: Text,
    name: Text,
    has_totp: Type.Boolean({ description: 'Whether signing in by password also needs a code.' }),
    recovery_codes_left: Type.Integer(),
    passkeys: Type.Integer({ description: 'How many passkeys there are.' }),
  }),
  accounts: Type.Array(OwnAccount, { description: 'By id; empty for a person who was removed from all accounts.' }),
})
export type Session = Static<typeof Session>

/** How far a sign-in is: done, or a code is asked for. */
export const SignInResult = Type.Union([
  Type.Object({ state: Type.Literal('signed-in'), session: Session }),
  Type.Object({
    state: Type.Literal('code-required'),
    ticket: Type.String({ description: 'To be sent with the code, within 5 minutes.' }),
  }),
])

const Password = Type.String({ description: '10 to 200 characters; for a new one.' })
const Ticket = Type.String()
/** What the browser’s WebAuthn API is given, as JSON (PublicKeyCredentialRequestOptionsJSON or ...CreationOptionsJSON). */
const CeremonyOptions = Data(Type.Object({ ticket: Ticket, options: Type.Record(Text, Type.Unknown()) }))
/** What the browser’s WebAuthn API answered, as JSON. */
const CeremonyResponse = Type.Record(Text, Type.Unknown(), { description: 'The credential as JSON (toJSON()).' })

export const GET_SIGN_IN = panelRoute({
  id: 'getSignIn',
  method: 'get',
  path: '/panel/api/sign-in',
  panelAccess: 'visitor',
  summary: 'How one signs in here',
  status: 200,
  answer: Data(
    Type.Object({
      sends_mail: Type.Boolean({
        description: 'Whether links are mailed; otherwise the operator makes them: shelfwire member link.',
      }),
    }),
  ),
})

export const SIGN_IN = panelRoute({
  id: 'signIn',
  method: 'post',
  path: '/panel/api/sign-in',
  panelAccess: 'visitor',
  summary: 'Sign in by e-mail and password',
  body: { noun: 'sign-in', schema: Type.Object({ email: Text, password: Text }, closed) },
  status: 200,
  answer: Data(SignInResult),
  problems: ['sign-in-failed'],
})

export const SIGN_IN_CODE = panelRoute({
  id: 'signInCode',
  method: 'post',
  path: '/panel/api/sign-in/code',
  panelAccess: 'visitor',
  summary: 'Finish a sign-in by a code of the authenticator app, or by a recovery code',
  body: { noun: 'sign-in', schema: Type.Object({ ticket: Ticket, code: Text }, closed) },
  status: 200,
  answer: Data(SignInResult),
  problems: ['sign-in-failed'],
})

export const PASSKEY_SIGN_IN_OPTIONS = panelRoute({
  id: 'passkeySignInOptions',
  method: 'post',
  path: '/panel/api/sign-in/passkey/options',
  panelAccess: 'visitor',
  summary: 'Begin to sign in by a passkey',
  status: 200,
  answer: CeremonyOptions,
})

export const PASSKEY_SIGN_IN = panelRoute({
  id: 'passkeySignIn',
  method: 'post',
  path: '/panel/api/sign-in/passkey',
  panelAccess: 'visitor',
  summary: 'Sign in by a passkey; no code is asked for',
  body: { noun: 'sign-in', schema: Type.Object({ ticket: Ticket, response: CeremonyResponse }, closed) },
  status: 200,
  answer: Data(SignInResult),
  problems: ['sign-in-failed'],
})

export const REQUEST_PASSWORD_RESET = panelRoute({
  id: 'requestPasswordReset',
  method: 'post',
  path: '/panel/api/password-resets',
  panelAccess: 'visitor',
  summary: 'Ask for a link by mail that sets a new password',
  description: 'The answer is the same whether anybody has this address.',
  body: { noun: 'reset', schema: Type.Object({ email: Text }, closed) },
  status: 202,
  answer: Data(Type.Object({ state: Type.Literal('accepted') })),
})

/** What a link from a mail is for. The page is at /panel/link#TOKEN: what follows # reaches no log. */
export const LinkFacts = Type.Object({
  kind: OneOf(['invitation', 'password-reset', 'email-change'], {}),
  email: Type.String({ description: 'Of an email-change the new address.' }),
  expires_at: Time('When it ends.'),
  account_name: Type.Union([Text, Type.Null()], { description: 'Of an invitation: the account.' }),
  role: Type.Union([OneOf(ROLES, {}), Type.Null()], { description: 'Of an invitation.' }),
  has_password: Type.Boolean({
    description: 'Whether the address can sign in already: then an invitation is accepted by signing in first.',
  }),
})
export type LinkFacts = Static<typeof LinkFacts>

export const READ_LINK = panelRoute({
  id: 'readLink',
  method: 'post',
  path: '/panel/api/links/read',
  panelAccess: 'visitor',
  summary: 'What a link from a mail is for',
  body: { noun: 'link', schema: Type.Object({ token: Text }, closed) },
  status: 200,
  answer: Data(LinkFacts),
  problems: ['link-ended'],
})

export const RESET_PASSWORD = panelRoute({
  id: 'resetPassword',
  method: 'post',
  path: '/panel/api/links/reset-password',
  panelAccess: 'visitor',
  summary: 'Set a new password by a link; ends every session of the person, and signs in',
  body: { noun: 'reset', schema: Type.Object({ token: Text, password: Password }, closed) },
  status: 200,
  answer: Data(SignInResult),
  problems: ['link-ended'],
})

export const ACCEPT_INVITATION = panelRoute({
  id: 'acceptInvitation',
  method: 'post',
  path: '/panel/api/links/accept-invitation',
  panelAccess: 'visitor',
  summary: 'Join an account by a link',
  description:
    'An address that cannot sign in yet sends a name and a password, and is signed in. An address that can (has_password) is to be signed in as that person, with X-CSRF-Token, and sends neither.',
  body: {
    noun: 'invitation',
    schema: Type.Object({ token: Text, name: Type.Optional(Text), password: Type.Optional(Password) }, closed),
  },
  status: 200,
  answer: Data(SignInResult),
  problems: ['link-ended', 'not-signed-in', 'conflict'],
})

export const CONFIRM_EMAIL = panelRoute({
  id: 'confirmEmail',
  method: 'post',
  path: '/panel/api/links/confirm-email',
  panelAccess: 'visitor',
  summary: 'Confirm a new e-mail address by the link that was mailed to it; nobody is signed in by it',
  body: { noun: 'confirmation', schema: Type.Object({ token: Text }, closed) },
  status: 200,
  answer: Data(Type.Object({ email: Text })),
  problems: ['link-ended', 'conflict'],
})

export const GET_SESSION = panelRoute({
  id: 'getSession',
  method: 'get',
  path: '/panel/api/session',
  panelAccess: 'person',
  summary: 'Who is signed in, in which accounts',
  status: 200,
  answer: Data(Session),
})

export const SIGN_OUT = panelRoute({
  id: 'signOut',
  method: 'delete',
  path: '/panel/api/session',
  panelAccess: 'person',
  summary: 'Sign out',
  status: 204,
})

export const PersonSession = Type.Object({
  id: Id,
  is_current: Flag,
  created_at: Time('When the person signed in.'),
  seen_at: Time('When it was last used, to the minute.'),
  expires_at: Time('When it ends in any case.'),
  address: Type.String({ description: 'Client address when it was last used.' }),
  user_agent: Type.String({ description: 'As the browser named itself; untrusted text.' }),
})

export const LIST_SESSIONS = panelRoute({
  id: 'listSessions',
  method: 'get',
  path: '/panel/api/sessions',
  panelAccess: 'person',
  summary: 'Sessions of the person, the last used first',
  status: 200,
  answer: List(PersonSession),
})

export const END_SESSIONS = panelRoute({
  id: 'endSessions',
  method: 'delete',
  path: '/panel/api/sessions',
  panelAccess: 'person',
  summary: 'Sign out everywhere',
  query: { keep_current: Type.Boolean({ default: false, description: 'Whether this session goes on.' }) },
  status: 204,
})

export const END_SESSION = panelRoute({
  id: 'endSession',
  method: 'delete',
  path: '/panel/api/sessions/{session_id}',
  panelAccess: 'person',
  summary: 'End one session',
  params: { session_id: PathId('The session.') },
  status: 204,
  problems: ['unknown-reference'],
})

export const PATCH_PERSON = panelRoute({
  id: 'patchPerson',
  method: 'patch',
  path: '/panel/api/person',
  panelAccess: 'person',
  summary: 'Change the own name',
  body: { noun: 'person', schema: Type.Object({ name: Text }, closed) },
  status: 200,
  answer: Data(Session),
})

export const REQUEST_EMAIL = panelRoute({
  id: 'requestEmail',
  method: 'post',
  path: '/panel/api/email',
  panelAccess: 'person',
  summary: 'Ask for another e-mail address; it counts once the link that is mailed to it was opened',
  description:
    'The old address is told. The answer is the same for an address that somebody has, which is not mailed to.',
  body: { noun: 'change', schema: Type.Object({ email: Text, password: Text }, closed) },
  status: 202,
  answer: Data(Type.Object({ state: Type.Literal('accepted') })),
  problems: ['sign-in-failed', 'conflict'],
})

export const CHANGE_PASSWORD = panelRoute({
  id: 'changePassword',
  method: 'post',
  path: '/panel/api/password',
  panelAccess: 'person',
  summary: 'Change the own password; ends all other sessions and gives this one a new cookie and csrf_token',
  body: { noun: 'password', schema: Type.Object({ current: Text, password: Password }, closed) },
  status: 200,
  answer: Data(Session),
  problems: ['sign-in-failed'],
})

export const BEGIN_TOTP = panelRoute({
  id: 'beginTotp',
  method: 'post',
  path: '/panel/api/totp',
  panelAccess: 'person',
  summary: 'Begin to set up codes of an authenticator app; they count once one was confirmed',
  body: { noun: 'setup', schema: Type.Object({ password: Text }, closed) },
  status: 200,
  answer: Data(
    Type.Object({
      secret: Type.String({ description: 'Base32, for typing; shown once.' }),
      uri: Type.String({ description: 'otpauth://, for a QR code.' }),
    }),
  ),
  problems: ['sign-in-failed', 'conflict'],
})

const RecoveryCodeList = Type.Array(Text, { description: 'Each signs in once in place of a code; shown once.' })
const RecoveryCodes = Data(Type.Object({ recovery_codes: RecoveryCodeList }))

export const CONFIRM_TOTP = panelRoute({
  id: 'confirmTotp',
  method: 'put',
  path: '/panel/api/totp',
  panelAccess: 'person',
  summary: 'Confirm the setup by a code; ends all other sessions and gives this one a new cookie and csrf_token',
  body: { noun: 'setup', schema: Type.Object({ code: Text }, closed) },
  status: 200,
  answer: Data(Type.Object({ recovery_codes: RecoveryCodeList, session: Session })),
  problems: ['sign-in-failed', 'conflict'],
})

export const RENEW_RECOVERY_CODES = panelRoute({
  id: 'renewRecoveryCodes',
  method: 'post',
  path: '/panel/api/totp/recovery-codes',
  panelAccess: 'person',
  summary: 'New recovery codes in place of the old ones',
  body: { noun: 'request', schema: Type.Object({ password: Text }, closed) },
  status: 200,
  answer: RecoveryCodes,
  problems: ['sign-in-failed', 'conflict'],
})

export const REMOVE_TOTP = panelRoute({
  id: 'removeTotp',
  method: 'post',
  path: '/panel/api/totp/remove',
  panelAccess: 'person',
  summary: 'Sign in without codes again',
  body: { noun: 'request', schema: Type.Object({ password: Text }, closed) },
  status: 200,
  answer: Data(Session),
  problems: ['sign-in-failed', 'conflict'],
})

export const Passkey = Type.Object({
  id: Id,
  name: Text,
  created_at: Time('When it was added.'),
  used_at: TimeOrNull('When it last signed in; null: never.'),
})

export const LIST_PASSKEYS = panelRoute({
  id: 'listPasskeys',
  method: 'get',
  path: '/panel/api/passkeys',
  panelAccess: 'person',
  summary: 'Passkeys of the person',
  status: 200,
  answer: List(Passkey),
})

export const PASSKEY_OPTIONS = panelRoute({
  id: 'passkeyOptions',
  method: 'post',
  path: '/panel/api/passkeys/options',
  panelAccess: 'person',
  summary: 'Begin to add a passkey',
  body: { noun: 'request', schema: Type.Object({ password: Text }, closed) },
  status: 200,
  answer: CeremonyOptions,
  problems: ['sign-in-failed', 'conflict'],
})

export const ADD_PASSKEY = panelRoute({
  id: 'addPasskey',
  method: 'post',
  path: '/panel/api/passkeys',
  panelAccess: 'person',
  summary: 'Add a passkey',
  body: {
    noun: 'passkey',
    schema: Type.Object({ ticket: Ticket, name: Text, response: CeremonyResponse }, closed),
  },
  status: 201,
  answer: Data(Passkey),
  problems: ['sign-in-failed', 'conflict'],
})

export const REMOVE_PASSKEY = panelRoute({
  id: 'removePasskey',
  method: 'delete',
  path: '/panel/api/passkeys/{passkey_id}',
  panelAccess: 'person',
  summary: 'Remove a passkey',
  params: { passkey_id: PathId('The passkey.') },
  status: 204,
  problems: ['unknown-reference'],
})

/** What happened to the person's own sign-in: not to accounts, which have the audit trail. */
export const PersonEvent = Type.Object({
  at: Time('When.'),
  kind: OneOf(
    [
      'signed-in',
      'sign-in-failed',
      'signed-out-everywhere',
      'password-changed',
      'password-reset',
      'totp-added',
      'totp-removed',
      'recovery-code-used',
      'recovery-codes-renewed',
      'passkey-added',
      'passkey-removed',
      'email-asked',
      'email-changed',
    ],
    {},
  ),
  address: Text,
  user_agent: Type.String({ description: 'Untrusted text.' }),
})

export const LIST_PERSON_EVENTS = panelRoute({
  id: 'listPersonEvents',
  method: 'get',
  path: '/panel/api/person/events',
  panelAccess: 'person',
  summary: 'The newest 100 events of the own sign-in, newest first',
  status: 200,
  answer: List(PersonEvent),
})

export const SESSION_ROUTES = [
  GET_SIGN_IN,
  SIGN_IN,
  SIGN_IN_CODE,
  PASSKEY_SIGN_IN_OPTIONS,
  PASSKEY_SIGN_IN,
  REQUEST_PASSWORD_RESET,
  READ_LINK,
  RESET_PASSWORD,
  ACCEPT_INVITATION,
  CONFIRM_EMAIL,
  GET_SESSION,
  SIGN_OUT,
  LIST_SESSIONS,
  END_SESSIONS,
  END_SESSION,
  PATCH_PERSON,
  REQUEST_EMAIL,
  CHANGE_PASSWORD,
  BEGIN_TOTP,
  CONFIRM_TOTP,
  RENEW_RECOVERY_CODES,
  REMOVE_TOTP,
  LIST_PASSKEYS,
  PASSKEY_OPTIONS,
  ADD_PASSKEY,
  REMOVE_PASSKEY,
  LIST_PERSON_EVENTS,
] as const
