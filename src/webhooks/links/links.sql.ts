import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

// Links that open one endpoint's page. Looked up before the account is known, so on Citus this is a reference table.

export interface EndpointLinkRow {
  linkId: number
  name: string
  createdAt: Date
  /** Null: the person who made it was deleted. */
  createdBy: string | null
  expiresAt: Date
  usedAt: Date | null
}

/** Links of an endpoint that have not expired, oldest first. */
export function endpointLinksList(reader: Reader, accountId: number, endpointId: number) {
  return reader<EndpointLinkRow[]>`
    select l.link_id as "linkId", l.name, l.created_at as "createdAt", p.name as "createdBy", l.expires_at as "expiresAt",
      l.used_at as "usedAt"
    from endpoint_link l left join person p on p.person_id = l.created_by
    where l.account_id = ${accountId} and l.endpoint_id = ${endpointId} and l.expires_at > now() order by l.link_id`
}

export async function endpointLinkInsert(
  tx: Tx,
  link: { accountId: number; endpointId: number; tokenHash: Buffer; name: string; createdBy: number; hours: number },
): Promise<number> {
  const [row] = await tx<{ link_id: number }[]>`
    insert into endpoint_link (token_hash, account_id, endpoint_id, name, created_by, expires_at)
    values (${link.tokenHash}, ${link.accountId}, ${link.endpointId}, ${link.name}, ${link.createdBy},
      now() + make_interval(hours => ${link.hours}))
    returning link_id`
  return must(row).link_id
}

/** @returns whether the endpoint had this link */
export async function endpointLinkDelete(
  tx: Tx,
  accountId: number,
  endpointId: number,
  linkId: number,
): Promise<boolean> {
  const rows = await tx`
    delete from endpoint_link where link_id = ${linkId} and account_id = ${accountId} and endpoint_id = ${endpointId}
    returning 1 as deleted`
  return rows.length > 0
}

/** Deletes all links of an endpoint. */
export function endpointLinksDelete(tx: Tx, accountId: number, endpointId: number) {
  return tx`delete from endpoint_link where account_id = ${accountId} and endpoint_id = ${endpointId}`
}

/**
 * The link with this hash that has not expired. `isNews`: no use was noted within the last
 * LIMITS.sessionSeenSeconds.
 */
export async function endpointLinkByHash(reader: Reader, tokenHash: Buffer) {
  const [row] = await reader<
    { linkId: number; accountId: number; endpointId: number; name: string; expiresAt: Date; isNews: boolean }[]
  >`
    select link_id as "linkId", account_id as "accountId", endpoint_id as "endpointId", name, expires_at as "expiresAt",
      used_at is null or used_at < now() - make_interval(secs => ${LIMITS.sessionSeenSeconds}) as "isNews"
    from endpoint_link where token_hash = ${tokenHash} and expires_at > now()`
  return row
}

/** Notes that a link was used. */
export function endpointLinkUsed(tx: Reader, linkId: number) {
  return tx`update endpoint_link set used_at = now() where link_id = ${linkId}`
}
