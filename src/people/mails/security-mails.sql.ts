import { LIMITS } from '../../platform/limits.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'

// Mails that tell people what happened to a sign-in or an account, until they are sent.

export interface SecurityMail {
  mailId: string
  recipients: string[]
  /** A WrittenLanguage, or one of a newer release. */
  language: string
  /** About somebody, without a full stop. */
  sentence: string
  more: string
  /** Address of the client that did it. */
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
 * Takes a try of a mail; no other process has it until the next one is due.
 * @returns undefined when another process was faster
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
