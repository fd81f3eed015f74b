import type { AuditEntry } from '../../contract/panel/audit.ts'
import type { Reader } from '../db/sql.ts'
import { formatTimestamp } from '../platform/time/timestamp.ts'
import { auditAfter, type AuditRow } from './audit.sql.ts'
import { memberPeople, signInsAfter, type SignInRow } from './sign-in/sign-in-log.sql.ts'

const PAGE = 500
/** Far longer than any write takes: every transaction that began so long ago has ended, so no entry with a smaller id can still appear. */
const SETTLED_SECONDS = 300

/** An entry as the API and the exported audit log show it. */
export const representAuditEntry = (row: AuditRow): AuditEntry => ({
  id: row.entryId,
  at: formatTimestamp(row.at),
  actor: { person_id: row.personId, name: row.actor },
  address: row.address,
  user_agent: row.userAgent,
  action: row.action,
  target: row.target,
  details: row.details,
})

/** A page of a log. A reader who continues after `after` misses no entry, but reads those of the last minutes again. */
export interface LogPage<E extends { id: number }> {
  entries: E[]
  after: number
}

/** Pages of an account's audit log after an entry's id, the oldest entry first. */
export function auditLog(reader: Reader, accountId: number, after: number): AsyncGenerator<LogPage<AuditEntry>> {
  return pagesOf<AuditRow & { isSettled: boolean }, AuditEntry>(
    after,
    (page) => auditAfter(reader, accountId, page),
    representAuditEntry,
  )
}

/** Pages of sign-in events of the account's present members, in the same way. */
export async function* signInLog(
  reader: Reader,
  accountId: number,
  after: number,
): AsyncGenerator<LogPage<ReturnType<typeof representSignIn>>> {
  const people = await memberPeople(reader, accountId)
  yield* pagesOf(after, (page) => signInsAfter(reader, people, page), representSignIn)
}

const representSignIn = (row: SignInRow) => ({
  id: row.eventId,
  at: formatTimestamp(row.at),
  person: { person_id: row.personId, email: row.email },
  address: row.address,
  user_agent: row.userAgent,
  kind: row.kind,
})

async function* pagesOf<R extends { isSettled: boolean }, E extends { id: number }>(
  after: number,
  read: (page: { after: number; limit: number; settledSeconds: number }) => PromiseLike<R[]>,
  represent: (row: R) => E,
): AsyncGenerator<LogPage<E>> {
  let [readTo, settledTo, isSettled] = [after, after, true]
  for (;;) {
    const rows = await read({ after: readTo, limit: PAGE, settledSeconds: SETTLED_SECONDS })
    const entries = rows.map(represent)
    for (const [at, { id }] of entries.entries()) {
      readTo = id
      isSettled &&= rows[at]?.isSettled ?? false
      if (isSettled) settledTo = id
    }
    yield { entries, after: settledTo }
    if (rows.length < PAGE) return
  }
}
