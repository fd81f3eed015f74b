import { NOTICES, type NoticeKind, type NoticeSubject } from '../../contract/notice-kinds.ts'
import type { Tx } from '../db/sql.ts'

/** The kinds of a topic. Of two equal ones in a row, the second is not written. */
const ofTopic = (topic: string): NoticeKind[] =>
  (Object.keys(NOTICES) as NoticeKind[]).filter((kind) => NOTICES[kind].fold?.topic === topic)

/**
 * Writes notices to an account's owners; nothing else inserts notices. Runs in the transaction of the event, so that there is no notice without it.
 * Notices of a topic (contract/notice-kinds.ts) lock the account's inputs and compare with the last notice of the topic, so that of two concurrent
 * writers the second writes nothing. Their transaction must not hold a lock that is below that in docs/lock-order.md.
 *
 * @returns how many were written: repeats within a topic are left out
 */
export async function writeNotices(tx: Tx, accountId: number, notices: readonly NoticeSubject[]): Promise<number> {
  const written: NoticeSubject[] = []
  for (const notice of notices) if (await isNew(tx, accountId, notice.kind)) written.push(notice)
  if (written.length === 0) return 0
  await tx`
    insert into notice (account_id, endpoint_id, kind, facts)
    select ${accountId}, "endpointId", kind, facts
    from jsonb_to_recordset(${JSON.stringify(written)}::text::jsonb) as g ("endpointId" bigint, kind text, facts jsonb)`
  return written.length
}

async function isNew(tx: Tx, accountId: number, kind: NoticeKind): Promise<boolean> {
  const { fold } = NOTICES[kind]
  if (fold === null) return true
  await tx`select from account_inputs where account_id = ${accountId} for no key update`
  const [last] = await tx<{ kind: NoticeKind }[]>`
    select kind from notice where account_id = ${accountId} and kind = any(${ofTopic(fold.topic)}::text[])
    order by notice_id desc limit 1`
  return last === undefined ? fold.role === 'begins' : last.kind !== kind
}
