import {
  GET_SIGN_IN_RULES,
  INVITE,
  LIST_INVITATIONS,
  LIST_MEMBERS,
  PATCH_MEMBER,
  PUT_SIGN_IN_RULES,
  REMOVE_MEMBER,
  WITHDRAW_INVITATION,
  type Invitation,
  type Member,
} from '../../../contract/panel/people.ts'
import type { MemberRow } from '../../accounts/members.sql.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import { signInRulesGet, signInRulesUpdate, type SignInRules } from '../../accounts/sign-in-rules.sql.ts'
import { inTransaction, type Reader } from '../../db/sql.ts'
import { sendAlerts, alertOwners } from '../../people/mails/alerts.ts'
import { invite } from '../../people/links.ts'
import { invitationDelete, invitationsList, type InvitationRow } from '../../people/links.sql.ts'
import { changeRole, removeMember } from '../../people/members.ts'
import { memberPeople, type MemberPerson } from '../../people/members.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import type { ServeContext } from '../context.ts'
import { ownersOnly, type PanelApp } from './handle-panel.ts'
import { requireRevision, revisionOf } from './revision.ts'

/** A member's revision, for If-Match: the members that another person may have changed meanwhile. */
const revised = ({ role, personId }: Pick<MemberPerson, 'role' | 'personId'>) => revisionOf({ role, personId })

const represent = (row: MemberPerson, ownPersonId: number): Member => ({
  id: row.memberId,
  email: row.email,
  name: row.name,
  role: row.role,
  is_you: row.personId === ownPersonId,
  has_second_factor: row.hasSecondFactor,
  created_at: formatTimestamp(row.createdAt),
  seen_at: timeOrNull(row.seenAt),
  revision: revised(row),
})

const representInvitation = (row: InvitationRow): Invitation => ({
  id: row.invitationId,
  email: row.email,
  role: row.role,
  created_at: formatTimestamp(row.createdAt),
  expires_at: formatTimestamp(row.expiresAt),
  invited_by: row.invitedBy,
  mail_error: row.mailError,
  mail_again_at: timeOrNull(row.mailDueAt),
})

const representRules = (rules: SignInRules) => ({
  requires_second_factor: rules.requiresSecondFactor,
  session_idle_minutes: rules.sessionIdleMinutes,
  session_hours: rules.sessionHours,
})

async function rulesOf(reader: Reader, accountId: number): Promise<SignInRules> {
  const rules = await signInRulesGet(reader, accountId)
  if (rules === undefined) throw new ShelfwireError('unknown-account', 'the account was deleted meanwhile')
  return rules
}

/** Members of an account, and invitations. */
export function peopleHandlers(app: PanelApp, { db, people }: ServeContext): void {
  app.handle(LIST_MEMBERS, async ({ accountId, session }) => ({
    data: (await memberPeople(db, accountId)).map((row) => represent(row, session.personId)),
  }))
  app.handle(PATCH_MEMBER, async ({ accountId, session, params, body, request, from, note }) => {
    await inTransaction(db, async (tx) => {
      let found: MemberRow | undefined
      await changeRole(tx, accountId, params.member_id, body.role, (row) => {
        requireRevision(request, revised(row))
        found = row
      })
      await note(tx, { role: body.role })
      if (found === undefined || found.role === body.role) return
      const { email } = found
      const made = body.role === 'owner' ? 'madeOwner' : 'madeMember'
      await alertOwners(tx, people, accountId, (words) => words[made](session.email, email), from, [email])
    })
    sendAlerts(people)
    const member = (await memberPeople(db, accountId)).find((row) => row.memberId === params.member_id)
    if (member === undefined) throw new ShelfwireError('unknown-reference', 'the member was removed meanwhile')
    return { data: represent(member, session.personId) }
  })
  app.handle(REMOVE_MEMBER, async ({ accountId, role, session, params, from, note }) => {
    await inTransaction(db, async (tx) => {
      const member = await removeMember(tx, accountId, params.member_id, (found) => {
        if (role !== 'owner' && found.personId !== session.personId) throw ownersOnly()
      })
      await note(tx, { email: member.email })
      if (member.role !== 'owner') return
      const { email } = member
      await alertOwners(tx, people, accountId, (words) => words.ownerRemoved(session.email, email), from, [email])
    })
    sendAlerts(people)
    return undefined
  })
  app.handle(GET_SIGN_IN_RULES, async ({ accountId }) => ({ data: representRules(await rulesOf(db, accountId)) }))
  app.handle(PUT_SIGN_IN_RULES, async ({ accountId, session, body, note }) => {
    const rules = {
      requiresSecondFactor: body.requires_second_factor,
      sessionIdleMinutes: body.session_idle_minutes,
      sessionHours: body.session_hours,
    }
    if (rules.requiresSecondFactor && !session.hasFactor)
      throw new ShelfwireError('conflict', 'first set up codes or a passkey of your own, or sign in with your passkey')
    await inTransaction(db, async (tx) => {
      await settingsLock(tx, accountId)
      await signInRulesUpdate(tx, accountId, rules)
      await note(tx, body)
    })
    return { data: representRules(await rulesOf(db, accountId)) }
  })
  app.handle(LIST_INVITATIONS, async ({ accountId }) => ({
    data: (await invitationsList(db, accountId)).map(representInvitation),
  }))
  app.handle(INVITE, async ({ accountId, session, body, from, note }) => {
    const { email, role } = body
    const made = await invite(people, accountId, { email, role, createdBy: session.personId }, async (tx) => {
      await note(tx, { email, role })
      if (role !== 'owner') return
      await alertOwners(tx, people, accountId, (words) => words.ownerInvited(session.email, email), from)
    })
    sendAlerts(people)
    const row = (await invitationsList(db, accountId)).find((entry) => entry.invitationId === made.invitationId)
    if (row === undefined) throw new ShelfwireError('conflict', 'the invitation was withdrawn or accepted meanwhile')
    return { data: { ...representInvitation(row), mail: made.mail, link: made.link } }
  })
  app.handle(WITHDRAW_INVITATION, async ({ accountId, params, note }) => {
    await inTransaction(db, async (tx) => {
      const email = await invitationDelete(tx, accountId, params.invitation_id)
      if (email === undefined)
        throw new ShelfwireError('unknown-reference', `the account has no invitation ${params.invitation_id}`)
      await note(tx, { email })
    })
    return undefined
  })
}
