import { requireRoom } from './limits/limits.ts'
import type { Tx } from '../db/sql.ts'
import { explainViolation } from '../db/statements/violations.ts'
import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { MEMBER_ROLES, memberInsert, membersList } from './members.sql.ts'
import { settingsLock } from './settings-lock.sql.ts'

export interface NewMember {
  email: string
  /** One of MEMBER_ROLES. */
  role: string
}

/** Longest part before the @ that mail servers must accept (RFC 5321). */
const LOCAL_PART_LENGTH_MAX = 64

/**
 * Adds a member to an account.
 *
 * @returns the member's id
 * @throws ShelfwireError `invalid-input` with a fault named `email` or `role`; `unknown-account`; `conflict` if the account has
 *   the address already (ignoring letter case); `quota-exceeded`
 */
export async function createMember(tx: Tx, accountId: number, input: NewMember): Promise<number> {
  const role = MEMBER_ROLES.find((name) => name === input.role)
  const emailFault = faultOfEmail(input.email)
  const faults: Fault[] = [
    ...(emailFault === null ? [] : [{ name: 'email', reason: emailFault }]),
    ...(role === undefined ? [{ name: 'role', reason: `must be one of ${MEMBER_ROLES.join(', ')}` }] : []),
  ]
  if (role === undefined || faults.length > 0) {
    throw new ShelfwireError('invalid-input', faults.map((fault) => `${fault.name} ${fault.reason}`).join('; '), {
      faults,
    })
  }
  // the lock serializes writers who add members, so that the limit is checked against all of them
  await settingsLock(tx, accountId)
  await requireRoom(tx, accountId, 'members', (await membersList(tx, accountId)).length)
  try {
    return await memberInsert(tx, accountId, { email: input.email, role })
  } catch (error) {
    return explainViolation(error, { member_email: `account ${accountId} has a member with this address already` })
  }
}

/**
 * The reason why an address is refused, or null. Besides spaces and invisible characters it refuses the characters by which mail
 * programs separate addresses, names and comments: one address must not add further recipients.
 */
export function faultOfEmail(email: string): string | null {
  if (email.length > LIMITS.emailLengthMax) return `must have at most ${LIMITS.emailLengthMax} characters`
  if (/[\s\p{C},;:<>()[\]"\\]/u.test(email))
    return 'must not contain spaces, control characters, or any of , ; : < > ( ) [ ] " \\'
  const parts = email.split('@')
  if (parts.length !== 2 || parts.includes('')) return 'must be an address such as owner@example.com'
  if (must(parts[0]).length > LOCAL_PART_LENGTH_MAX)
    return `must have at most ${LOCAL_PART_LENGTH_MAX} characters before the @`
  return null
}
