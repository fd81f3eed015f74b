import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { memberInsert } from '../accounts/members.sql.ts'
import { inTransaction, type Reader, type Tx } from '../db/sql.ts'
import { auditInsert } from '../people/audit.sql.ts'
import type { PeopleContext } from '../people/people.ts'
import { personLock, type From } from '../people/persons.sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { openAccount } from '../shelf/account.ts'
import { runSequentiallyOnNodes } from '../people/erasure/erase-people.sql.ts'
import { accountsOwnedCount } from './sign-up.sql.ts'

/** The form of a new account. Its first store has the same name, language and currency. */
export interface OwnAccount {
  name: string
  /** ISO 4217; it never changes. */
  currency: string
  /** BCP 47. */
  locale: string
  /** IANA name; UTC when left out. */
  timeZone?: string | undefined
}

/** Somebody who opens an account. */
interface Opener {
  personId: number
  name: string
  email: string
}

/**
 * Opens an account that a person owns. The caller holds a lock that keeps the person from opening too many at the same time.
 * @returns the account's id
 * @throws ShelfwireError invalid-input
 */
export async function openOwned(tx: Tx, person: Opener, account: OwnAccount, from: From): Promise<number> {
  const { name, currency, locale, timeZone = 'UTC' } = account
  const { accountId } = await openAccount(tx, {
    name,
    currency,
    locale,
    timeZone,
    store: { slug: 'main', name, locale, currency },
    additionalMembers: ADDITIONAL_MEMBER_NAMES,
  })
  const { personId, email } = person
  await memberInsert(tx, accountId, { email, role: 'owner', personId })
  const actor = { personId, name: `${person.name} <${email}>`, address: from.address, userAgent: from.userAgent }
  await auditInsert(tx, accountId, actor, {
    action: 'openAccount',
    target: `/panel/api/accounts/${accountId}`,
    details: { name, currency, locale, time_zone: timeZone },
  })
  return accountId
}

/**
 * How many more accounts a person may open.
 * @param max ACCOUNTS_PER_PERSON: how many a person may own; 0: none can be opened in the panel
 */
export async function accountsStillAllowed(reader: Reader, personId: number, max: number): Promise<number> {
  return max === 0 ? 0 : Math.max(0, max - (await accountsOwnedCount(reader, personId)))
}

/**
 * Opens a further account for a signed-in person. Requests of one person run one after the other, so that the limit is exact.
 * @returns its id
 * @throws ShelfwireError quota-exceeded; invalid-input; rate-limited
 */
export async function openOwnAccount(
  context: PeopleContext,
  person: Opener,
  account: OwnAccount,
  max: number,
  from: From,
): Promise<number> {
  context.attempts.accountOf(person.personId)
  return inTransaction(context.db, async (tx) => {
    await runSequentiallyOnNodes(tx)
    await personLock(tx, person.personId)
    if ((await accountsStillAllowed(tx, person.personId, max)) === 0) throw noneLeft(max)
    return openOwned(tx, person, account, from)
  })
}

const noneLeft = (max: number) =>
  new ShelfwireError(
    'quota-exceeded',
    max === 0
      ? 'accounts are not opened in the panel of this service; ask its operator for one'
      : `you own ${max === 1 ? 'an account' : `${max} accounts`}, which is as many as a person may own here; ask the operator of the service for more`,
  )
