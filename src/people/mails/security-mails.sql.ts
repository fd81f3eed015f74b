import { LIMITS } from '../../platform/limits.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'

// Mails about changes of a sign-in or an account, until they are sent.

export interface SecurityMail {
  mailId: string
  recipients: string[]
  /** A WrittenLanguage, or one of a newer release. */
  language: string
  /** A sentence about the person, without a full stop. */
  sentence: string
  more: string
  /** Address of the client that made the change. */
  address: string
}

export async function securityMailInsert(tx: Tx, mail: SecurityMail): Promise<void> {
  await tx`
    insert into security_mail (mail_id, recipients, language, sentence, more, address)
    values (${mail.mailId}::uuid, ${mail.recipients}::text[], ${mail.language}, ${mail.sentence}, ${mail.more}, ${mail.address})`
}

/** Mails that are due, the longest waiting first. */
export function securityMailsDue(reader: Reader, limit: number) {
  return reader<{ mailId: string; tries: number }[]>`
    select mail_id as "mailId", tries from security_mail where due_at <= now() order by due_at limit ${limit}`
}

/**
 * Claims a try of a mail. No other process can claim it until the next try is due.
 * @returns undefined if another process was faster
 */
export async function securityMailTake(
  tx: Tx,
  { mailId, tries }: { mailId: string; tries: number },
): Promise<(SecurityMail & { happenedAt: Date }) | undefined> {
  const nextInSeconds = LIMITS.securityMailRetrySeconds[tries] ?? must(LIMITS.securityMailRetrySeconds.at(-1))
  const [row] = await tx<(SecurityMail & { happenedAt: Date })[]>`
    update security_mail set tries = ${tries + 1}, due_at = now() + make_interval(secs => ${nextInSeconds}::float8)
    where mail_id = ${mailId}::uuid and tries = ${tries} and due_at <= now()
    returning mail_id as "mailId", recipients, language, sentence, more, address, happened_at as "happenedAt"`
  return row
}

export async function securityMailDelete(tx: Tx, mailId: string): Promise<void> {
  await tx`delete from security_mail where mail_id = ${mailId}::uuid`
}
