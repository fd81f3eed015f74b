import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { closed, Flag, Id, Text } from '../values.ts'
import { LinkedIdentity } from './linked-identity.ts'
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
  needs_second_factor: Type.Boolean({
    description:
      'Whether the account asks for a second factor that this session does not have: no data of the account is shown until then.',
  }),
  suspended: Type.Union(
    [
      Type.Object({
        since: Time('Since when.'),
        reason: Type.Union([Text, Type.Null()], { description: 'What the operator says; null: nothing.' }),
      }),
      Type.Null(),
    ],
    { description: 'Of an account that the operator has suspended: nothing of it is shown; null: it is not.' },
  ),
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
    has_totp: Type.Boolean({
      description: 'Whether signing in by password, or at the identity provider, also needs a code.',
    }),
    recovery_codes_left: Type.Integer(),
    passkeys: Type.Integer({ description: 'How many passkeys there are.' }),
    at_provider: Type.Boolean({
      description: 'Whether the person has signed in at the identity provider; then there may be no password.',
    }),
    provider: Type.Union([LinkedIdentity, Type.Null()], {
      description: 'The identity that the person signs in with at the identity provider; null: none is linked.',
    }),
    email_proven: Type.Boolean({
      description: 'Whether the password was set by a link that was mailed to the address, and shown to nobody.',
    }),
  }),
  accounts: Type.Array(OwnAccount, { description: 'By id; empty for a person who was removed from all accounts.' }),
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
          'Whether the password, passkeys, codes and sessions of the person have ended, because it was not known whose they were; what was made with them is in GET /panel/api/person/made.',
      }),
    ),
  }),
  Type.Object({
    state: Type.Literal('code-required'),
    ticket: Type.String({ description: 'To be sent with the code, within 5 minutes.' }),
  }),
])

const Password = Type.String({ description: '10 to 200 characters; for a new one.' })
/** An opaque text that links the steps of a sign-in or a WebAuthn ceremony. */
export const Ticket = Type.String()
/** Options for the browser's WebAuthn API, as JSON (PublicKeyCredentialRequestOptionsJSON or ...CreationOptionsJSON). */
export const CeremonyOptions = Data(Type.Object({ ticket: Ticket, options: Type.Record(Text, Type.Unknown()) }))
/** The answer of the browser's WebAuthn API, as JSON. */
export const CeremonyResponse = Type.Record(Text, Type.Unknown(), { description: 'The credential as JSON (toJSON()).' })

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
  summary: 'How one signs in here',
  status: 200,
  answer: Data(
    Type.Object({
      sends_mail: Type.Boolean({
        description: 'Whether links are mailed; otherwise the operator makes them: shelfwire member link.',
      }),
      awaits_owner: Type.Boolean({
        description:
          'Whether there is no account yet: the first owner signs up by the link that the start of the service prints.',
      }),
      local: Type.Boolean({ description: 'Whether people sign in by password and passkey.' }),
      provider: Type.Union(
        [Type.Object({ label: Type.Union([Text, Type.Null()], { description: 'Null: none was set.' }) }), Type.Null()],
        { description: 'The identity provider at which people sign in; null: there is none.' },
      ),
      ended: Type.Union([OneOf(SESSION_ENDS, {}), Type.Null()], {
        description:
          'Why the session ended whose cookie is sent; null: there is none, it lasts, or it ended with time. Nobody else is notified.',
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
  problems: ['sign-in-failed', 'local-sign-in-off'],
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
  problems: ['local-sign-in-off'],
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
  problems: ['sign-in-failed', 'local-sign-in-off'],
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
  problems: ['local-sign-in-off'],
})

/**
 * The purpose of a link from a mail. Its page is /panel/link#TOKEN: browsers do not send what follows #, so the token
 * is in no log.
 */
export const LinkFacts = Type.Object({
  kind: OneOf(['invitation', 'password-reset', 'email-change', 'first-owner'], {}),
  email: Type.String({ description: 'Of an email-change the new address; empty of a first-owner.' }),
  expires_at: Time('When it ends.'),
  account_name: Type.Union([Text, Type.Null()], { description: 'Of an invitation: the account.' }),
  role: Type.Union([OneOf(ROLES, {}), Type.Null()], { description: 'Of an invitation.' }),
  factors: Type.Union(
    [
      Type.Object({
        passkeys: Type.Array(
          Type.Object({
            id: Id,
            name: Text,
            created_at: Time('When it was added.'),
            used_at: TimeOrNull('When it last signed in; null: never.'),
          }),
        ),
        has_codes: Flag,
      }),
      Type.Null(),
    ],
    { description: 'Of a password reset: what else signs the person in, to be kept or not.' },
  ),
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
  description:
    'Passkeys that are not kept are removed. Codes are asked for in any case; those that are not kept stop to count after 24 hours, unless somebody signs in with one before.',
  body: {
    noun: 'reset',
    schema: Type.Object(
      {
        token: Text,
        password: Password,
        keep_passkeys: Type.Optional(
          Type.Array(Id, { maxItems: 100, description: 'Ids of passkeys; left out: none.' }),
        ),
        keep_codes: Type.Optional(Type.Boolean({ description: 'Left out: true.' })),
      },
      closed,
    ),
  },
  status: 200,
  answer: Data(SignInResult),
  problems: ['link-ended', 'local-sign-in-off'],
})

export const ACCEPT_INVITATION = panelRoute({
  id: 'acceptInvitation',
  method: 'post',
  path: '/panel/api/links/accept-invitation',
  panelAccess: 'visitor',
  summary: 'Join an account by a link',
  description:
    'A new person sends a name and a password, and is signed in. Whoever has signed in with the address before is to be signed in, with X-CSRF-Token, and sends neither. A link does not say which of the two its address is.',
  body: {
    noun: 'invitation',
    schema: Type.Object({ token: Text, name: Type.Optional(Text), password: Type.Optional(Password) }, closed),
  },
  status: 200,
  answer: Data(SignInResult),
  problems: ['link-ended', 'not-signed-in', 'sign-in-failed', 'conflict', 'account-suspended', 'local-sign-in-off'],
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
  status: 200,
  answer: Data(
    Type.Object({
      provider_url: Type.Union([Type.String(), Type.Null()], {
        description:
          'Where the browser goes to sign out at the identity provider as well, which sends it back; null: nowhere.',
      }),
    }),
  ),
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
    'The old address is notified. The answer is the same for an address that somebody has, which is not mailed to.',
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
  summary: 'Change the own password; ends all other sessions and gives this one a new cookie and csrf_token',
  body: { noun: 'password', schema: Type.Object({ current: Text, password: Password }, closed) },
  status: 200,
  answer: Data(Session),
  problems: ['sign-in-failed', 'local-sign-in-off'],
})

/** An event of the person's own sign-in. Events of accounts are in the audit trail. */
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
  user_agent: Type.String({ description: 'Untrusted text.' }),
})

/** Something that the person has created and that outlives the session that created it. */
export const Made = Type.Object({
  kind: OneOf(['token', 'invitation', 'endpoint-link'], {}),
  id: Id,
  account_id: Id,
  account_name: Text,
  name: Type.String({ description: 'Of an invitation the address.' }),
  created_at: Time('When it was made.'),
  may_be_of_others: Type.Boolean({
    description:
      'Whether it was made before the identity provider had verified the address, when somebody else may have signed in as the person.',
  }),
})

export const LIST_MADE = panelRoute({
  id: 'listMade',
  method: 'get',
  path: '/panel/api/person/made',
  panelAccess: 'person',
  summary:
    'Tokens that the person created within 30 days or somebody else may have created, invitations and links to endpoints, as long as they open something',
  status: 200,
  answer: List(Made),
})

const Ids = Type.Array(Id, { maxItems: 1_000 })

export const REVOKE_MADE = panelRoute({
  id: 'revokeMade',
  method: 'post',
  path: '/panel/api/person/made/revoke',
  panelAccess: 'person',
  summary: 'End some of what the person has made, in whichever accounts',
  body: { noun: 'request', schema: Type.Object({ tokens: Ids, invitations: Ids, endpoint_links: Ids }, closed) },
  status: 204,
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
  LIST_MADE,
  REVOKE_MADE,
  LIST_PERSON_EVENTS,
] as const
