import type { Tx } from '../../db/sql.ts'
import {
  emailsForget,
  memberDetach,
  memberOfOthers,
  membersAfter,
  oneNodeAfterTheOther,
  personDelete,
} from './erase-people.sql.ts'
import { personLock } from '../persons.sql.ts'

/**
 * Erases those members of an account, in the order of their ids, who are people and members of no other one: sign-in, passkeys, codes, sessions, events and
 * links. What they did in other accounts that they have left stays in the audit log of those.
 * @param limit how many members are looked at
 * @returns how many people were erased, and the last member that was looked at; null at the end
 */
export async function erasePeople(
  tx: Tx,
  accountId: number,
  afterMemberId: number,
  limit: number,
): Promise<{ erased: number; lastMemberId: number | null }> {
  await oneNodeAfterTheOther(tx)
  const members = await membersAfter(tx, accountId, afterMemberId, limit)
  let erased = 0
  for (const { personId } of members.toSorted((a, b) => a.personId - b.personId)) {
    const person = await personLock(tx, personId)
    // looked at under the lock, which whoever joins another account takes, too
    if (person === undefined || (await memberOfOthers(tx, accountId, personId))) continue
    await memberDetach(tx, accountId, personId)
    await personDelete(tx, personId)
    await emailsForget(tx, person.email)
    erased += 1
  }
  return { erased, lastMemberId: members.length < limit ? null : (members.at(-1)?.memberId ?? null) }
}
