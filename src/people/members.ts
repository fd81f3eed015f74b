import { settingsLock } from '../accounts/settings-lock.sql.ts'
import {
  memberDelete,
  memberRoleUpdate,
  membersList,
  type MemberRole,
  type MemberRow,
} from '../accounts/members.sql.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { endpointLinksOfPersonDelete, invitationsOfEmailDelete, invitationsOfPersonDelete } from './links.sql.ts'

// Changes of members in the panel. Those of one account run one after the other: if two owners remove each other at the
// same time, one of them remains.

/** Checks the locked member before it is changed. @throws an error to refuse the change */
export type MemberCheck = (member: MemberRow) => void

/** Changes a member's role. @throws ShelfwireError unknown-reference; conflict if no owner who can sign in would remain; errors of `check` */
export async function changeRole(
  tx: Tx,
  accountId: number,
  memberId: number,
  role: MemberRole,
  check: MemberCheck,
): Promise<void> {
  const members = await lockedMembers(tx, accountId)
  check(find(members, memberId))
  requireOwner(members, (row) => (row.memberId === memberId ? role : row.role))
  await memberRoleUpdate(tx, accountId, memberId, role)
  const { personId } = find(members, memberId)
  // only owners may invite; with an invitation of their own, former owners could come back as owners
  if (role !== 'owner' && personId !== null) await invitationsOfPersonDelete(tx, accountId, personId)
}

/** Removes a member. @throws ShelfwireError unknown-reference; conflict if no owner who can sign in would remain; errors of `check` */
export async function removeMember(
  tx: Tx,
  accountId: number,
  memberId: number,
  check: MemberCheck,
): Promise<MemberRow> {
  const members = await lockedMembers(tx, accountId)
  const member = find(members, memberId)
  check(member)
  requireOwner(members, (row) => (row.memberId === memberId ? null : row.role))
  await forgetMember(tx, accountId, member)
  return member
}

/** Removes a member for the operator, even the last owner. @throws ShelfwireError unknown-reference */
export async function dropMember(tx: Tx, accountId: number, memberId: number): Promise<void> {
  await forgetMember(tx, accountId, find(await lockedMembers(tx, accountId), memberId))
}

/** Deletes a member of an account whose settings are locked, with all links by which the person could come back or still see data. */
export async function forgetMember(
  tx: Tx,
  accountId: number,
  { memberId, email, personId }: Pick<MemberRow, 'memberId' | 'email' | 'personId'>,
): Promise<void> {
  await memberDelete(tx, accountId, memberId)
  await invitationsOfEmailDelete(tx, accountId, email)
  if (personId === null) return
  await invitationsOfPersonDelete(tx, accountId, personId)
  await endpointLinksOfPersonDelete(tx, accountId, personId)
}

async function lockedMembers(tx: Tx, accountId: number): Promise<MemberRow[]> {
  await settingsLock(tx, accountId)
  return membersList(tx, accountId)
}

function find(members: readonly MemberRow[], memberId: number): MemberRow {
  const member = members.find((row) => row.memberId === memberId)
  if (member === undefined) throw new ShelfwireError('unknown-reference', `the account has no member ${memberId}`)
  return member
}

/** @param roleAfter the role of a member after the change; null: removed */
function requireOwner(members: readonly MemberRow[], roleAfter: (row: MemberRow) => MemberRole | null): void {
  if (members.some((row) => row.personId !== null && roleAfter(row) === 'owner')) return
  throw new ShelfwireError(
    'conflict',
    'the account would have no owner who can sign in; make another member an owner first',
  )
}
