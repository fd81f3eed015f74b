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

// Changes of members in the panel. Those of one account wait for each other, so that of two owners who remove each other at the
// same moment one stays.

/** Checks the member as it is under the lock, before it is changed. @throws what refuses the change */
export type MemberCheck = (member: MemberRow) => void

/** @throws ShelfwireError unknown-reference; conflict when no owner who can sign in would be left */
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
  // only owners may invite, so their invitations end with the role: by one of their own they could come back as owners
  if (role !== 'owner' && personId !== null) await invitationsOfPersonDelete(tx, accountId, personId)
}

/** @throws ShelfwireError unknown-reference; conflict when no owner who can sign in would be left */
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

/** Removes a member on behalf of the operator, even the last owner. @throws ShelfwireError unknown-reference */
export async function dropMember(tx: Tx, accountId: number, memberId: number): Promise<void> {
  await forgetMember(tx, accountId, find(await lockedMembers(tx, accountId), memberId))
}

/** Deletes a member of an account whose settings are locked, with every link by which the person could come back or still see anything. */
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
