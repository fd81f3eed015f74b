import { memberByEmail, memberInsert, memberSignsIn } from '../accounts/members.sql.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { passwordHash } from './sign-in/passwords.ts'
import { emailProvenUpdate, passwordUpdate, personByEmail, personInsert } from './persons.sql.ts'
import { sessionsDelete } from './sign-in/sessions.sql.ts'

/** Makes a person with this password an owner of an account, for the operator. A person who exists gets the password, and their sessions end. */
export async function setOwner(
  db: Db,
  accountId: number,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<void> {
  const hash = await passwordHash(password)
  await inTransaction(db, async (tx) => {
    const known = await personByEmail(tx, email)
    const personId = known?.personId ?? (await personInsert(tx, { email, name, passwordHash: hash }))
    if (known !== undefined) {
      await passwordUpdate(tx, personId, hash)
      await emailProvenUpdate(tx, personId, false)
      await sessionsDelete(tx, personId, null, 'operator')
    }
    const member = await memberByEmail(tx, accountId, email)
    if (member === undefined) await memberInsert(tx, accountId, { email, role: 'owner', personId })
    else await memberSignsIn(tx, accountId, member.memberId, { personId, role: 'owner' })
  })
}
