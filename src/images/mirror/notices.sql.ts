import { accountGet } from '../../accounts/accounts.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { writeNotices } from '../../notices/write-notice.sql.ts'

/**
 * Notifies the account's owners that copies of a host's pictures cannot be renewed and will be given up. There is one notice per
 * host, and another one when the number of pictures has more than doubled, so that a dying server is reported
 * although some of its pictures were missing before. When all reported pictures have recovered, the host counts as
 * new. Of two concurrent runs, the second sees the notice of the first.
 * @param hours the least time for which looks have failed. @returns whether a notice was written
 */
export async function failingNotice(tx: Tx, accountId: number, host: string, hours: number): Promise<boolean> {
  const failing = tx`account_id = ${accountId} and host = ${host} and state = 'mirrored' and failed_since <= now() - make_interval(hours => ${hours})`
  const [known] = await tx<
    { known: boolean }[]
  >`select exists (select from image where ${failing} and told_at is null) as known`
  if (known?.known !== true) return false
  await tx`select from account_inputs where account_id = ${accountId} for no key update`
  const [found] = await tx<{ untold: number; told: number; since: string; copies: number }[]>`
    select count(*) filter (where told_at is null)::int as untold, count(told_at)::int as told, count(*)::int as copies,
      to_char(min(failed_since) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from image where ${failing}`
  if (found === undefined || found.untold === 0) return false
  await tx`
    update image set told_at = statement_timestamp()
    where account_id = ${accountId} and url_hash = any(array(
      select url_hash from image where ${failing} and told_at is null order by url_hash for no key update))`
  if (found.untold <= found.told) return false
  const account = await accountGet(tx, accountId)
  await writeNotices(tx, accountId, [
    {
      endpointId: null,
      kind: 'images_failing',
      facts: {
        host,
        pictures: found.copies,
        failed_since: found.since,
        adopts: account?.adoptImages === true,
      },
    },
  ])
  return true
}
