import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { closed, Flag, Id, Text } from '../values.ts'
import { LinkedIdentity } from './linked-identity.ts'
import { Data, List, panelRoute, Time } from './route.ts'

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
  role: OneOf(ROLES, {
    description:
      'Role of the person in the account. owner: may do everything; member: everything except managing tokens and people.',
  }),
  needs_second_factor: Type.Boolean({
    description:
      'Whether the account requires a second factor that this session does not have; until it does, no data of the account is shown.',
  }),
  suspended: Type.Union(
    [
      Type.Object({
        since: Time('When the account was suspended.'),
        reason: Type.Union([Text, Type.Null()], { description: 'Reason that the operator stated; null if none.' }),
      }),
      Type.Null(),
    ],
    {
      description: 'Suspension of the account by the operator; none of its data is shown. null if it is not suspended.',
    },
  ),
})

export const Session = Type.Object({
  id: Id,
  csrf_token: Type.String({ description: 'CSRF token: send it as X-CSRF-Token with every write of this session.' }),
  created_at: Time('When the person signed in.'),
  idle_until: Time('When the session ends if it is not used before.'),
  expires_at: Time('When the session ends even if it is used.'),
  person: Type.Object({
    id: Id,
    email: Text,
    name: Text,
    has_totp: Type.Boolean({
      description: 'Whether signing in by password, or at the identity provider, also needs a code.',
    }),
    recovery_codes_left: Type.Integer(),
    passkeys: Type.Integer({ description: 'Number of the person’s passkeys.' }),
    at_provider: Type.Boolean({
      description: 'Whether the person has signed in at the identity provider. Such a person may have no password.',
    }),
    provider: Type.Union([LinkedIdentity, Type.Null()], {
      description: 'The identity that the person signs in with at the identity provider; null: none is linked.',
    }),
    email_proven: Type.Boolean({
      description:
        'Whether the password was set by a link that was mailed to the address and not shown to anyone else.',
    }),
  }),
  accounts: Type.Array(OwnAccount, {
    description: 'Accounts of the person, by ID; empty if the person was removed from all accounts.',
  }),
})
export type Session = Static<typeof Session>

/** The state of a sign-in: done, or a code is needed. */
export const SignInResult = Type.Union([
  Type.Object({
    state: Type.Literal('signed-in'),
    session: Session,
    took_over: Type.Optional(
      Type.Boolean({
        description:
          'Whether the person’s earlier password, passkeys, codes and sessions are no longer valid, because they may have been somebody else’s. GET /panel/api/person/made lists what was created with them.',
      }),
    ),
  }),
  Type.Object({
    state: Type.Literal('code-required'),
    ticket: Type.String({ description: 'Ticket of this sign-in: send it with the code within 5 minutes.' }),
  }),
])

/** A password that a person sets. */
export const NewPassword = Type.String({ description: 'New password, 10 to 200 characters.' })
/** An opaque text that links the steps of a sign-in or a WebAuthn ceremony. */
export const Ticket = Type.String()
/** Options for the browser's WebAuthn API, as JSON (PublicKeyCredentialRequestOptionsJSON or ...CreationOptionsJSON). */
export const CeremonyOptions = Data(Type.Object({ ticket: Ticket, options: Type.Record(Text, Type.Unknown()) }))
/** The answer of the browser's WebAuthn API, as JSON. */
export const CeremonyResponse = Type.Record(Text, Type.Unknown(), {
  description: 'Credential as JSON, as its toJSON() returns it.',
})

/** Why a session ended, unless its person ended it. */
export const SESSION_ENDS = [
  'password-changed',
  'password-reset',
  'everywhere',
  'elsewhere',
  'codes-set-up',
  'account-rule',
  'too-many',
  'operator',
  'provider',
] as const
export type SessionEnd = (typeof SESSION_ENDS)[number]

export const GET_SIGN_IN = panelRoute({
  id: 'getSignIn',
  method: 'get',
  path: '/panel/api/sign-in',
  panelAccess: 'visitor',
  summary: 'Read the available ways to sign in',
  status: 200,
  answer: Data(
    Type.Object({
      sends_mail: Type.Boolean({
        description:
          'Whether links are sent by e-mail; otherwise the operator creates them with shelfwire member link.',
      }),
      awaits_owner: Type.Boolean({
        description:
          'Whether there is no account yet. The first owner signs up with the link that the service prints at its start.',
      }),
      local: Type.Boolean({ description: 'Whether people can sign in with a password or passkey.' }),
      provider: Type.Union(
        [
          Type.Object({
            label: Type.Union([Text, Type.Null()], {
              description: 'Label of the identity provider; null if none is set.',
            }),
          }),
          Type.Null(),
        ],
        { description: 'Identity provider at which people can sign in; null if there is none.' },
      ),
      ended: Type.Union([OneOf(SESSION_ENDS, {}), Type.Null()], {
        description:
          'Why the session of the sent cookie ended; null if there was none, if it is still valid, or if it expired. Only the sender of the cookie can read this.',
      }),
    }),
  ),
})

export const SIGN_IN = panelRoute({
  id: 'signIn',
  method: 'post',
  path: '/panel/api/sign-in',
  panelAccess: 'visitor',
  summary: 'Sign in with e-mail address and password',
  body: { noun: 'sign-in', schema: Type.Object({ email: Text, password: Text }, closed) },
  status: 200,
  answer: Data(SignInResult),
  problems: ['sign-in-failed', 'local-sign-in-off'],
})

export const SIGN_IN_CODE = panelRoute({
  id: 'signInCode',
  method: 'post',
  path: '/panel/api/sign-in/code',
  panelAccess: 'visitor',
  summary: 'Finish a sign-in with a code of the authenticator app or a recovery code',
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
  summary: 'Begin a sign-in with a passkey',
  status: 200,
  answer: CeremonyOptions,
  problems: ['local-sign-in-off'],
})

export const PASSKEY_SIGN_IN = panelRoute({
  id: 'passkeySignIn',
  method: 'post',
  path: '/panel/api/sign-in/passkey',
  panelAccess: 'visitor',
  summary: 'Sign in with a passkey; no code is needed',
  body: { noun: 'sign-in', schema: Type.Object({ ticket: Ticket, response: CeremonyResponse }, closed) },
  status: 200,
  answer: Data(SignInResult),
  problems: ['sign-in-failed', 'local-sign-in-off'],
})

export const REQUEST_PASSWORD_RESET = panelRoute({
  id: 'requestPasswordReset',
  method: 'post',
  path: '/panel/api/password-resets',
  panelAccess: 'visitor',
  summary: 'Request an e-mail with a link that sets a new password',
  description: 'The answer is the same whether or not a person with this address exists.',
  body: { noun: 'reset', schema: Type.Object({ email: Text }, closed) },
  status: 202,
  answer: Data(Type.Object({ state: Type.Literal('accepted') })),
  problems: ['local-sign-in-off'],
})

export const GET_SESSION = panelRoute({
  id: 'getSession',
  method: 'get',
  path: '/panel/api/session',
  panelAccess: 'person',
  summary: 'Read the session: the person and their accounts',
  status: 200,
  answer: Data(Session),
})

export const SIGN_OUT = panelRoute({
  id: 'signOut',
  method: 'delete',
  path: '/panel/api/session',
  panelAccess: 'person',
  summary: 'Sign out',
  status: 200,
  answer: Data(
    Type.Object({
      provider_url: Type.Union([Type.String(), Type.Null()], {
        description:
          'URL at which the browser also signs out at the identity provider, which sends it back; null if there is none.',
      }),
    }),
  ),
})

export const PersonSession = Type.Object({
  id: Id,
  is_current: Flag,
  created_at: Time('When the person signed in.'),
  seen_at: Time('When the session was last used, to the minute.'),
  expires_at: Time('When the session ends even if it is used.'),
  address: Type.String({ description: 'Client address of the last use.' }),
  user_agent: Type.String({ description: 'User-Agent header of the browser; untrusted text.' }),
})

export const LIST_SESSIONS = panelRoute({
  id: 'listSessions',
  method: 'get',
  path: '/panel/api/sessions',
  panelAccess: 'person',
  summary: 'List the person’s sessions, most recently used first',
  status: 200,
  answer: List(PersonSession),
})

export const END_SESSIONS = panelRoute({
  id: 'endSessions',
  method: 'delete',
  path: '/panel/api/sessions',
  panelAccess: 'person',
  summary: 'Sign out everywhere',
  query: { keep_current: Type.Boolean({ default: false, description: 'Whether this session stays signed in.' }) },
  status: 204,
})

export const END_SESSION = panelRoute({
  id: 'endSession',
  method: 'delete',
  path: '/panel/api/sessions/{session_id}',
  panelAccess: 'person',
  summary: 'End one session',
  params: { session_id: PathId('Session ID.') },
  status: 204,
  problems: ['unknown-reference'],
})

export const PATCH_PERSON = panelRoute({
  id: 'patchPerson',
  method: 'patch',
  path: '/panel/api/person',
  panelAccess: 'person',
  summary: 'Change one’s own name',
  body: { noun: 'person', schema: Type.Object({ name: Text }, closed) },
  status: 200,
  answer: Data(Session),
})

export const REQUEST_EMAIL = panelRoute({
  id: 'requestEmail',
  method: 'post',
  path: '/panel/api/email',
  panelAccess: 'person',
  summary:
    'Request a change of e-mail address; it takes effect when the link that is mailed to the new address is opened',
  description:
    'The old address is notified. The answer is the same if the new address is somebody else’s; no link is then mailed.',
  body: { noun: 'change', schema: Type.Object({ email: Text, password: Text }, closed) },
  status: 202,
  answer: Data(Type.Object({ state: Type.Literal('accepted') })),
  problems: ['sign-in-failed', 'conflict', 'local-sign-in-off'],
})

export const CHANGE_PASSWORD = panelRoute({
  id: 'changePassword',
  method: 'post',
  path: '/panel/api/password',
  panelAccess: 'person',
  summary: 'Change one’s own password; ends all other sessions and gives this one a new cookie and csrf_token',
  body: { noun: 'password', schema: Type.Object({ current: Text, password: NewPassword }, closed) },
  status: 200,
  answer: Data(Session),
  problems: ['sign-in-failed', 'local-sign-in-off'],
})

/** An event of the person's own sign-in. Events of accounts are in the audit trail. */
export const PersonEvent = Type.Object({
  at: Time('When it happened.'),
  kind: OneOf(
    [
      'signed-in',
      'sign-in-failed',
      'signed-out-everywhere',
      'password-changed',
      'password-reset',
      'totp-added',
      'totp-removed',
      'totp-ending',
      'recovery-code-used',
      'recovery-codes-renewed',
      'passkey-added',
      'passkey-removed',
      'email-asked',
      'email-changed',
      'provider-linked',
      'provider-unlinked',
      'provider-took-over',
      'provider-signed-out',
    ],
    {},
  ),
  address: Text,
  user_agent: Type.String({ description: 'User-Agent header of the browser; untrusted text.' }),
})

/** Something that the person has created and that outlives the session that created it. */
export const Made = Type.Object({
  kind: OneOf(['token', 'invitation', 'endpoint-link'], {}),
  id: Id,
  account_id: Id,
  account_name: Text,
  name: Type.String({ description: 'Name; for an invitation the invited e-mail address.' }),
  created_at: Time('When it was created.'),
  may_be_of_others: Type.Boolean({
    description:
      'Whether it was created before the identity provider verified the address, so that somebody else may have created it.',
  }),
})

export const LIST_MADE = panelRoute({
  id: 'listMade',
  method: 'get',
  path: '/panel/api/person/made',
  panelAccess: 'person',
  summary:
    'List valid tokens, invitations and endpoint links that the person created (tokens: in the last 30 days, or possibly by somebody else)',
  status: 200,
  answer: List(Made),
})

const Ids = Type.Array(Id, { maxItems: 1_000 })

export const REVOKE_MADE = panelRoute({
  id: 'revokeMade',
  method: 'post',
  path: '/panel/api/person/made/revoke',
  panelAccess: 'person',
  summary: 'Revoke some of what the person created, in any account',
  body: { noun: 'request', schema: Type.Object({ tokens: Ids, invitations: Ids, endpoint_links: Ids }, closed) },
  status: 204,
})

export const LIST_PERSON_EVENTS = panelRoute({
  id: 'listPersonEvents',
  method: 'get',
  path: '/panel/api/person/events',
  panelAccess: 'person',
  summary: 'List the newest 100 sign-in events of the person, newest first',
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
  GET_SESSION,
  SIGN_OUT,
  LIST_SESSIONS,
  END_SESSIONS,
  END_SESSION,
  PATCH_PERSON,
  REQUEST_EMAIL,
  CHANGE_PASSWORD,
  LIST_MADE,
  REVOKE_MADE,
  LIST_PERSON_EVENTS,
] as const
