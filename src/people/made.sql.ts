import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// Things that a person has made in a session and that outlive it: tokens, invitations and links to endpoints, as long as they are valid.

export interface MadeRow {
  id: number
  accountId: number
  accountName: string
  /** The name; of an invitation its e-mail address. */
  name: string
  createdAt: Date
  /** Whether an intruder may have made it: it is older than the takeover by an identity provider that verified the person's address. */
  isOfOthers: boolean
}

/**
 * The time until which somebody else may have acted as the person: the takeover by an identity provider, which ended all earlier ways to sign
 * in, plus a minute for requests that were in progress. Null: there was no takeover.
 */
const takenOver = (reader: Reader, personId: number) => reader`
  (select max(at) + interval '1 minute' from person_event where person_id = ${personId} and kind = 'provider-took-over')`

const mayBeOfOthers = (reader: Reader, created: string, personId: number) =>
  reader`coalesce(${reader(created)} < ${takenOver(reader, personId)}, false) as "isOfOthers"`

/** Valid tokens that were created within the longest life of a session, or that others may have made, newest first. */
export function tokensMade(reader: Reader, personId: number) {
  return reader<MadeRow[]>`
    select t.token_id as id, t.account_id as "accountId", a.name as "accountName", t.name, t.created_at as "createdAt",
      ${mayBeOfOthers(reader, 't.created_at', personId)}
    from token t join account a on a.account_id = t.account_id
    where t.created_by = ${personId} and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      and (t.created_at > now() - make_interval(days => ${LIMITS.sessionDaysMax}) or t.created_at < ${takenOver(reader, personId)})
    order by t.token_id desc`
}

/** Open invitations that a person has made, newest first. */
export function invitationsMade(reader: Reader, personId: number) {
  return reader<MadeRow[]>`
    select l.link_id as id, l.account_id as "accountId", a.name as "accountName", l.email as name, l.created_at as "createdAt",
      ${mayBeOfOthers(reader, 'l.created_at', personId)}
    from one_time_link l join account a on a.account_id = l.account_id
    where l.created_by = ${personId} and l.expires_at > now() order by l.link_id desc`
}

/** Valid links to endpoints that a person has made, newest first. */
export function endpointLinksMade(reader: Reader, personId: number) {
  return reader<MadeRow[]>`
    select l.link_id as id, l.account_id as "accountId", a.name as "accountName", l.name, l.created_at as "createdAt",
      ${mayBeOfOthers(reader, 'l.created_at', personId)}
    from endpoint_link l join account a on a.account_id = l.account_id
    where l.created_by = ${personId} and l.expires_at > now() order by l.link_id desc`
}

type Ended = { id: number; accountId: number }

/** Revokes those of the tokens that the person has created. @returns the revoked ones with their accounts */
export function tokensMadeRevoke(tx: Tx, personId: number, ids: readonly number[]) {
  return tx<Ended[]>`
    update token set revoked_at = now() where created_by = ${personId} and token_id = any(${[...ids]}::bigint[]) and revoked_at is null
    returning token_id as id, account_id as "accountId"`
}

/** Withdraws those of the invitations that the person has made. @returns the withdrawn ones with their accounts */
export function invitationsMadeDelete(tx: Tx, personId: number, ids: readonly number[]) {
  return tx<Ended[]>`
    delete from one_time_link where created_by = ${personId} and link_id = any(${[...ids]}::bigint[]) and account_id is not null
    returning link_id as id, account_id as "accountId"`
}

/** Ends those of the links to endpoints that the person has made. @returns the ended ones with their accounts */
export function endpointLinksMadeDelete(tx: Tx, personId: number, ids: readonly number[]) {
  return tx<Ended[]>`
    delete from endpoint_link where created_by = ${personId} and link_id = any(${[...ids]}::bigint[])
    returning link_id as id, account_id as "accountId"`
}
