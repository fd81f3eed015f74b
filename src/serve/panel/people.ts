import {
  INVITE,
  LIST_INVITATIONS,
  LIST_MEMBERS,
  PATCH_MEMBER,
  REMOVE_MEMBER,
  WITHDRAW_INVITATION,
  type Invitation,
  type Member,
} from '../../../contract/panel/people.ts'
import { inTransaction } from '../../db/sql.ts'
import { invite } from '../../people/links.ts'
import { invitationDelete, invitationsList, type InvitationRow } from '../../people/links.sql.ts'
import { changeRole, removeMember } from '../../people/members.ts'
import { memberPeople, type MemberPerson } from '../../people/members.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import type { ServeContext } from '../context.ts'
import { ownersOnly, type PanelApp } from './handle-panel.ts'
import { timeOrNull } from './represent.ts'
import { requireRevision, revisionOf } from './revision.ts'

/** What a member's revision is made of: what others may have changed meanwhile. */
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

/** Members of an account, and invitations. */
export function peopleHandlers(app: PanelApp, { db, people }: ServeContext): void {
  app.handle(LIST_MEMBERS, async ({ accountId, session }) => ({
    data: (await memberPeople(db, accountId)).map((row) => represent(row, session.personId)),
  }))
  app.handle(PATCH_MEMBER, async ({ accountId, session, params, body, request, note }) => {
    await inTransaction(db, async (tx) => {
      await changeRole(tx, accountId, params.member_id, body.role, (member) =>
        requireRevision(request, revised(member)),
      )
      await note(tx, { role: body.role })
    })
    const member = (await memberPeople(db, accountId)).find((row) => row.memberId === params.member_id)
    if (member === undefined) throw new ShelfwireError('unknown-reference', 'the member was removed meanwhile')
    return { data: represent(member, session.personId) }
  })
  app.handle(REMOVE_MEMBER, async ({ accountId, role, session, params, note }) => {
    await inTransaction(db, async (tx) => {
      const { email } = await removeMember(tx, accountId, params.member_id, (member) => {
        if (role !== 'owner' && member.personId !== session.personId) throw ownersOnly()
      })
      await note(tx, { email })
    })
    return undefined
  })
  app.handle(LIST_INVITATIONS, async ({ accountId }) => ({
    data: (await invitationsList(db, accountId)).map(representInvitation),
  }))
  app.handle(INVITE, async ({ accountId, session, body, note }) => {
    const { email, role } = body
    const made = await invite(people, accountId, { email, role, createdBy: session.personId }, (tx) =>
      note(tx, { email, role }),
    )
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
