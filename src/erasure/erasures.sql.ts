import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// Erasures of accounts that are due or done, with their receipts.

/** An erasure and, once it is done, its receipt. Contains no personal data. */
export interface Erasure {
  accountId: number
  askedAt: Date
  /** When it begins; it can be canceled until then. */
  dueAt: Date
  /** A reference of the operator, such as the number of a request. */
  reference: string | null
  /** Whether people who are members of no other account are erased, too. */
  erasesPeople: boolean
  startedAt: Date | null
  /** When no row and no file was left. */
  finishedAt: Date | null
  /** When everything had been checked once more, after all requests from before the suspension had ended. */
  checkedAt: Date | null
  /** Deleted rows, by table. */
  rows: Record<string, number>
  people: number
  /** Removed stored pictures; those that other accounts use stay. */
  pictures: number
  /** Removed files of imports. */
  files: number
}

const columns = (reader: Reader) => reader`
  erased_account_id as "accountId", asked_at as "askedAt", due_at as "dueAt", reference, erases_people as "erasesPeople",
  started_at as "startedAt", finished_at as "finishedAt", checked_at as "checkedAt", row_counts as rows, people, pictures, files`

/** All erasures, the oldest first. */
export function erasuresList(reader: Reader) {
  return reader<Erasure[]>`select ${columns(reader)} from account_erasure order by asked_at, erased_account_id`
}

export async function erasureGet(reader: Reader, accountId: number): Promise<Erasure | undefined> {
  const [row] = await reader<Erasure[]>`
    select ${columns(reader)} from account_erasure where erased_account_id = ${accountId}`
  return row
}

/** Records that an account is to be erased, or changes the time of its erasure; does nothing if that has begun. */
export async function erasureWrite(
  tx: Tx,
  accountId: number,
  { seconds, reference, erasesPeople }: { seconds: number; reference: string | null; erasesPeople: boolean },
): Promise<void> {
  await tx`
    insert into account_erasure (erased_account_id, due_at, reference, erases_people)
    values (${accountId}, now() + make_interval(secs => ${seconds}), ${reference}, ${erasesPeople})
    on conflict (erased_account_id) do update set due_at = excluded.due_at, reference = excluded.reference,
      erases_people = excluded.erases_people
    where account_erasure.started_at is null`
}

/** Cancels an erasure that has not begun. @returns whether there was one */
export async function erasureDelete(tx: Tx, accountId: number): Promise<boolean> {
  const deleted = await tx`
    delete from account_erasure where erased_account_id = ${accountId} and started_at is null returning 1`
  return deleted.length > 0
}

/** Accounts whose erasure is due, and those whose final check is. */
export async function erasuresDue(reader: Reader): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select erased_account_id as "accountId" from account_erasure
    where checked_at is null and due_at <= now()
      and (finished_at is null or finished_at < now() - make_interval(mins => ${LIMITS.erasureCheckMinutes}))
    order by due_at, erased_account_id`
  return rows.map(({ accountId }) => accountId)
}

/** Begins or continues an erasure; from now on it cannot be canceled. @returns undefined if it is not due, or is done */
export async function erasureBegin(tx: Tx, accountId: number): Promise<Erasure | undefined> {
  const [row] = await tx<Erasure[]>`
    update account_erasure set started_at = coalesce(started_at, (select now()))
    where erased_account_id = ${accountId} and due_at <= now() and checked_at is null returning ${columns(tx)}`
  return row
}

/** Locks an erasure: of several processes that erase an account, one deletes at a time, so that each row is counted once. */
export async function erasureLock(tx: Tx, accountId: number): Promise<void> {
  await tx`select from account_erasure where erased_account_id = ${accountId} for update`
}

/** Adds to an erasure's counts what a transaction deletes. */
export async function erasureCount(
  tx: Tx,
  accountId: number,
  done: { table?: string; rows?: number; people?: number; pictures?: number; files?: number },
): Promise<void> {
  const { table = null, rows = 0, people = 0, pictures = 0, files = 0 } = done
  await tx`
    update account_erasure set people = people + ${people}, pictures = pictures + ${pictures}, files = files + ${files},
      row_counts = case when ${rows}::bigint = 0 then row_counts else row_counts || jsonb_build_object(
        ${table}::text, coalesce((row_counts->>${table}::text)::bigint, 0) + ${rows}::bigint) end
    where erased_account_id = ${accountId}`
}

/** Records the end of an erasure. @param isCheck whether this was the final check */
export async function erasureEnd(tx: Tx, accountId: number, isCheck: boolean): Promise<void> {
  await tx`
    update account_erasure set finished_at = coalesce(finished_at, (select now())),
      checked_at = case when ${isCheck}::boolean then (select now()) end
    where erased_account_id = ${accountId} and checked_at is null`
}

export async function accountDelete(tx: Tx, accountId: number): Promise<boolean> {
  const result = await tx`delete from account where account_id = ${accountId}`
  return result.count > 0
}
