import type { Tx } from '../../db/sql.ts'
import {
  emailsForget,
  memberDetach,
  memberOfOthers,
  membersAfter,
  runSequentiallyOnNodes,
  personDelete,
} from './erase-people.sql.ts'
import { personLock } from '../persons.sql.ts'

/**
 * Erases the people among the next members of an account, by id, who are members of no other account: ways to sign in, sessions, events and
 * links. The audit log of other accounts, which they have left, keeps their entries.
 * @param limit how many members are checked
 * @returns how many people were erased, and the id of the last member that was checked; null at the end
 */
export async function erasePeople(
  tx: Tx,
  accountId: number,
  afterMemberId: number,
  limit: number,
): Promise<{ erased: number; lastMemberId: number | null }> {
  await runSequentiallyOnNodes(tx)
  const members = await membersAfter(tx, accountId, afterMemberId, limit)
  let erased = 0
  for (const { personId } of members.toSorted((a, b) => a.personId - b.personId)) {
    const person = await personLock(tx, personId)
    // checked under the lock, which everybody who joins another account takes, too
    if (person === undefined || (await memberOfOthers(tx, accountId, personId))) continue
    await memberDetach(tx, accountId, personId)
    await personDelete(tx, personId)
    await emailsForget(tx, person.email)
    erased += 1
  }
  return { erased, lastMemberId: members.length < limit ? null : (members.at(-1)?.memberId ?? null) }
}
