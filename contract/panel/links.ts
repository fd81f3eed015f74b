import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { closed, Flag, Id, Text } from '../values.ts'
import { Data, panelRoute, Time, TimeOrNull } from './route.ts'
import { NewPassword, ROLES, SignInResult } from './session.ts'

// Links from e-mails: what they are for, and what they do. The link of the first owner is used in sign-up.ts.

/**
 * The purpose of a link from a mail. Its page is /panel/link#TOKEN: browsers do not send what follows #, so the token
 * is in no log.
 */
export const LinkFacts = Type.Object({
  kind: OneOf(['invitation', 'password-reset', 'email-change', 'first-owner'], {}),
  email: Type.String({
    description: 'E-mail address of the person; for email-change the new address, for first-owner empty.',
  }),
  expires_at: Time('When the link expires.'),
  account_name: Type.Union([Text, Type.Null()], {
    description: 'Name of the account, for an invitation; otherwise null.',
  }),
  role: Type.Union([OneOf(ROLES, {}), Type.Null()], {
    description: 'Role in the account, for an invitation; otherwise null.',
  }),
  factors: Type.Union(
    [
      Type.Object({
        passkeys: Type.Array(
          Type.Object({
            id: Id,
            name: Text,
            created_at: Time('When the passkey was added.'),
            used_at: TimeOrNull('When the passkey was last used to sign in; null if never.'),
          }),
        ),
        has_codes: Flag,
      }),
      Type.Null(),
    ],
    {
      description:
        'Other factors of the person, for a password reset, each of which can be kept or removed; otherwise null.',
    },
  ),
})
export type LinkFacts = Static<typeof LinkFacts>

export const READ_LINK = panelRoute({
  id: 'readLink',
  method: 'post',
  path: '/panel/api/links/read',
  panelAccess: 'visitor',
  summary: 'Read the purpose of a link from an e-mail',
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
  summary: 'Set a new password with a link; ends every session of the person and signs in',
  description:
    'Passkeys that are not kept are removed. A code is required in any case; if the codes are not kept, they become invalid after 24 hours, unless somebody signs in with one before.',
  body: {
    noun: 'reset',
    schema: Type.Object(
      {
        token: Text,
        password: NewPassword,
        keep_passkeys: Type.Optional(
          Type.Array(Id, { maxItems: 100, description: 'IDs of the passkeys to keep; none if left out.' }),
        ),
        keep_codes: Type.Optional(Type.Boolean({ description: 'Whether the codes stay valid; true if left out.' })),
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
  summary: 'Join an account with an invitation link',
  description:
    'A new person sends a name and a password, and is signed in. A person who has signed in with the address before must be signed in, and sends X-CSRF-Token but neither name nor password. The link does not reveal which of the two applies.',
  body: {
    noun: 'invitation',
    schema: Type.Object({ token: Text, name: Type.Optional(Text), password: Type.Optional(NewPassword) }, closed),
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
  summary: 'Confirm a new e-mail address with the link that was mailed to it; this does not sign in',
  body: { noun: 'confirmation', schema: Type.Object({ token: Text }, closed) },
  status: 200,
  answer: Data(Type.Object({ email: Text })),
  problems: ['link-ended', 'conflict'],
})

export const LINK_ROUTES = [READ_LINK, RESET_PASSWORD, ACCEPT_INVITATION, CONFIRM_EMAIL] as const
