import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { closed, Flag, Id, Text } from '../values.ts'
import { Data, List, panelRoute, Time, TimeOrNull } from './route.ts'
import { ROLES } from './session.ts'

// People of an account: its members, and who is invited. An account always keeps an owner who can sign in.

const account = { account_id: PathId('The account.') }

export const Member = Type.Object({
  id: Id,
  email: Text,
  name: Type.Union([Text, Type.Null()], { description: 'Null: cannot sign in yet, and is only mailed notices.' }),
  role: OneOf(ROLES, {}),
  is_you: Flag,
  has_second_factor: Type.Boolean({ description: 'Whether the person has codes or a passkey.' }),
  created_at: Time('When the person became a member.'),
  seen_at: TimeOrNull('When a session of the person was last used; null: never, or long ago.'),
  revision: Type.String({ description: 'To be sent as If-Match: "revision" with a change.' }),
})
export type Member = Static<typeof Member>

export const LIST_MEMBERS = panelRoute({
  id: 'listMembers',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/members',
  panelAccess: 'member',
  summary: 'Members of the account',
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
  params: { ...account, member_id: PathId('The member.') },
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
  summary: 'Remove a member at once; whoever is no owner may remove only themselves',
  params: { ...account, member_id: PathId('The member.') },
  status: 204,
  problems: ['unknown-reference', 'conflict', 'owner-required'],
})

/** An open invitation. */
export const Invitation = Type.Object({
  id: Id,
  email: Text,
  role: OneOf(ROLES, {}),
  created_at: Time('When it was made.'),
  expires_at: Time('When its link ends.'),
  invited_by: Type.Union([Text, Type.Null()], { description: 'Name of who made it; null: the operator.' }),
  mail_error: Type.Union([Text, Type.Null()], { description: 'Why its mail failed last; null: it did not.' }),
  mail_again_at: TimeOrNull('When its mail is tried again; null: it was sent, or is not tried again.'),
})
export type Invitation = Static<typeof Invitation>

/** An invitation with the state of its mail. */
export const SentInvitation = Type.Object({
  ...Invitation.properties,
  mail: OneOf(['sent', 'waiting', 'failed', 'off'], {
    description:
      'off: the service sends no mail, pass the link on; waiting: the mail server did not take it, it is tried again; failed: it refused it permanently.',
  }),
  link: Type.Union([Text, Type.Null()], { description: 'Shown once, and only where no mail is sent.' }),
})

export const LIST_INVITATIONS = panelRoute({
  id: 'listInvitations',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/invitations',
  panelAccess: 'member',
  summary: 'Invitations that wait to be accepted',
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
  summary: 'Invite a person; an earlier invitation of the same address ends',
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
  summary: 'Withdraw an invitation; its link ends',
  params: { ...account, invitation_id: PathId('The invitation.') },
  status: 204,
  problems: ['unknown-reference'],
})

/** Requirements for members who sign in to the account. */
export const SignInRules = Type.Object({
  requires_second_factor: Type.Boolean({
    description: 'Members see the account only with a session that a code or a passkey stands behind.',
  }),
  session_idle_minutes: Type.Union([Type.Integer({ minimum: 5, maximum: 4320 }), Type.Null()], {
    description: 'After how long without use a session ends that has opened the account; null: 72 hours.',
  }),
  session_hours: Type.Union([Type.Integer({ minimum: 1, maximum: 720 }), Type.Null()], {
    description: 'How long after the sign-in it ends; null: 30 days.',
  }),
})

export const GET_SIGN_IN_RULES = panelRoute({
  id: 'getSignInRules',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/sign-in-rules',
  panelAccess: 'owner',
  summary: 'What the account asks of those who sign in to it',
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
  summary: 'Set what the account asks of those who sign in to it; a second factor only by somebody who has one',
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
