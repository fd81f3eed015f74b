import type { Reader, Tx } from '../../db/sql.ts'
import { linkColumns, type LinkRow } from '../links.sql.ts'

// Mails of links. A mail that failed is sent again with a new token, because only the hash of the earlier one is stored.

/** Links whose mail is due, the longest waiting first. */
export function dueMails(reader: Reader, limit: number) {
  return reader<{ linkId: number; tries: number }[]>`
    select link_id as "linkId", mail_tries as tries from one_time_link
    where mail_due_at <= now() and expires_at > now() order by mail_due_at limit ${limit}`
}

/**
 * Claims a try of a mail and gives its link a new token. No other process can claim it until the next try is due.
 * @param nextInSeconds null: this is the last try
 * @returns undefined if another process was faster, or the link has ended
 */
export async function mailTake(
  tx: Tx,
  { linkId, tries }: { linkId: number; tries: number },
  tokenHash: Buffer,
  nextInSeconds: number | null,
): Promise<LinkRow | undefined> {
  const [row] = await tx<LinkRow[]>`
    update one_time_link set token_hash = ${tokenHash}, mail_tries = ${tries + 1},
      mail_due_at = now() + make_interval(secs => ${nextInSeconds}::float8)
    where link_id = ${linkId} and mail_tries = ${tries} and mail_due_at <= now() and expires_at > now()
    returning ${linkColumns(tx)}`
  return row
}

/** Name of the person who made a link. */
export async function linkMaker(reader: Reader, linkId: number): Promise<string | null> {
  const [row] = await reader<{ name: string | null }[]>`
    select p.name from one_time_link l left join person p on p.person_id = l.created_by where l.link_id = ${linkId}`
  return row?.name ?? null
}

/** Records that the mail with this token was sent. */
export function mailSent(tx: Tx, tokenHash: Buffer) {
  return tx`update one_time_link set mail_due_at = null, mail_error = null where token_hash = ${tokenHash}`
}

/** Records why the mail of a link failed. It stays due as it was scheduled, if at all. */
export function mailFailed(tx: Tx, tokenHash: Buffer, error: string) {
  return tx`update one_time_link set mail_error = ${error} where token_hash = ${tokenHash}`
}

/** Records that the mail of a link was refused permanently. */
export function mailRefused(tx: Tx, tokenHash: Buffer, error: string) {
  return tx`update one_time_link set mail_error = ${error}, mail_due_at = null where token_hash = ${tokenHash}`
}
