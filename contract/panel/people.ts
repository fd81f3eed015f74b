import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { closed, Flag, Id, Text } from '../values.ts'
import { Data, List, panelRoute, Time, TimeOrNull } from './route.ts'
import { ROLES } from './session.ts'

// People of an account: its members, and who is invited. An account always keeps an owner who can sign in.

const account = { account_id: PathId('Account ID.') }

export const Member = Type.Object({
  id: Id,
  email: Text,
  name: Type.Union([Text, Type.Null()], {
    description: 'Name of the person; null for a person who cannot sign in yet and only receives notices by e-mail.',
  }),
  role: OneOf(ROLES, {}),
  is_you: Flag,
  has_second_factor: Type.Boolean({ description: 'Whether the person has codes or a passkey.' }),
  created_at: Time('When the person became a member.'),
  seen_at: TimeOrNull('When a session of the person was last used; null if never, or long ago.'),
  revision: Type.String({ description: 'Revision of the member: send it with a change as If-Match: "revision".' }),
})
export type Member = Static<typeof Member>

export const LIST_MEMBERS = panelRoute({
  id: 'listMembers',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/members',
  panelAccess: 'member',
  summary: 'List members of the account',
  params: account,
  status: 200,
  answer: List(Member),
})

export const PATCH_MEMBER = panelRoute({
  id: 'patchMember',
  method: 'patch',
  path: '/panel/api/accounts/{account_id}/members/{member_id}',
  panelAccess: 'owner',
  needsConfirmation: true,
  summary: 'Change a member’s role; takes If-Match',
  params: { ...account, member_id: PathId('Member ID.') },
  body: { noun: 'member', schema: Type.Object({ role: OneOf(ROLES, {}) }, closed) },
  status: 200,
  answer: Data(Member),
  problems: ['unknown-reference', 'conflict', 'precondition-failed'],
})

export const REMOVE_MEMBER = panelRoute({
  id: 'removeMember',
  method: 'delete',
  path: '/panel/api/accounts/{account_id}/members/{member_id}',
  panelAccess: 'member',
  needsConfirmation: true,
  summary: 'Remove a member at once; members who are not owners can only remove themselves',
  params: { ...account, member_id: PathId('Member ID.') },
  status: 204,
  problems: ['unknown-reference', 'conflict', 'owner-required'],
})

/** An open invitation. */
export const Invitation = Type.Object({
  id: Id,
  email: Text,
  role: OneOf(ROLES, {}),
  created_at: Time('When the invitation was created.'),
  expires_at: Time('When the invitation’s link expires.'),
  invited_by: Type.Union([Text, Type.Null()], {
    description: 'Name of the person who sent the invitation; null for the operator.',
  }),
  mail_error: Type.Union([Text, Type.Null()], {
    description: 'Why the last attempt to send the e-mail failed; null if it did not fail.',
  }),
  mail_again_at: TimeOrNull('When the e-mail is tried again; null if it was sent, or is not tried again.'),
})
export type Invitation = Static<typeof Invitation>

/** An invitation with the state of its mail. */
export const SentInvitation = Type.Object({
  ...Invitation.properties,
  mail: OneOf(['sent', 'waiting', 'failed', 'off'], {
    description:
      'State of the e-mail. off: the service sends no e-mail, so pass the link on; waiting: the mail server did not accept the e-mail yet, and it is tried again; failed: the mail server refused it permanently.',
  }),
  link: Type.Union([Text, Type.Null()], {
    description: 'Link of the invitation. Shown once, and only if no e-mail is sent; otherwise null.',
  }),
})

export const LIST_INVITATIONS = panelRoute({
  id: 'listInvitations',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/invitations',
  panelAccess: 'member',
  summary: 'List invitations that are not accepted yet',
  params: account,
  status: 200,
  answer: List(Invitation),
})

export const INVITE = panelRoute({
  id: 'invite',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/invitations',
  panelAccess: 'owner',
  needsConfirmation: true,
  summary: 'Invite a person; an earlier invitation to the same address becomes invalid',
  params: account,
  body: { noun: 'invitation', schema: Type.Object({ email: Text, role: OneOf(ROLES, {}) }, closed) },
  status: 201,
  answer: Data(SentInvitation),
  problems: ['conflict'],
})

export const WITHDRAW_INVITATION = panelRoute({
  id: 'withdrawInvitation',
  method: 'delete',
  path: '/panel/api/accounts/{account_id}/invitations/{invitation_id}',
  panelAccess: 'owner',
  summary: 'Withdraw an invitation; its link becomes invalid',
  params: { ...account, invitation_id: PathId('Invitation ID.') },
  status: 204,
  problems: ['unknown-reference'],
})

/** Requirements for members who sign in to the account. */
export const SignInRules = Type.Object({
  requires_second_factor: Type.Boolean({
    description: 'Whether members can only open the account in a session that was confirmed with a code or a passkey.',
  }),
  session_idle_minutes: Type.Union([Type.Integer({ minimum: 5, maximum: 4320 }), Type.Null()], {
    description: 'Minutes without use after which a session that has opened the account ends; null: 72 hours.',
  }),
  session_hours: Type.Union([Type.Integer({ minimum: 1, maximum: 720 }), Type.Null()], {
    description: 'Hours after the sign-in at which a session that has opened the account ends; null: 30 days.',
  }),
})

export const GET_SIGN_IN_RULES = panelRoute({
  id: 'getSignInRules',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/sign-in-rules',
  panelAccess: 'owner',
  summary: 'Read the account’s sign-in rules',
  params: account,
  status: 200,
  answer: Data(SignInRules),
})

export const PUT_SIGN_IN_RULES = panelRoute({
  id: 'putSignInRules',
  method: 'put',
  path: '/panel/api/accounts/{account_id}/sign-in-rules',
  panelAccess: 'owner',
  needsConfirmation: true,
  summary: 'Set the account’s sign-in rules; only a person with a second factor can require one',
  params: account,
  body: { noun: 'rules', schema: Type.Object({ ...SignInRules.properties }, closed) },
  status: 200,
  answer: Data(SignInRules),
  problems: ['conflict'],
})

export const PEOPLE_ROUTES = [
  GET_SIGN_IN_RULES,
  PUT_SIGN_IN_RULES,
  LIST_MEMBERS,
  PATCH_MEMBER,
  REMOVE_MEMBER,
  LIST_INVITATIONS,
  INVITE,
  WITHDRAW_INVITATION,
] as const
