import type { Reader, Tx } from '../db/sql.ts'
import type { From } from './persons.sql.ts'

// The audit trail of an account. An entry is written in the transaction of its change, so that neither exists without the other.

/** The person or link that makes a change, with the client's address. */
export interface Actor extends From {
  /** Null: the holder of a link to an endpoint. */
  personId: number | null
  /** The person's name and e-mail address, or the name of the link. */
  name: string
}

/** JSON escapes that PostgreSQL cannot store: NUL, and surrogates. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i

export interface AuditChange {
  /** Id of the route. */
  action: string
  /** Path of the changed resource. */
  target: string
  /** Members of the request, without secrets. */
  details: Readonly<Record<string, unknown>>
  /** The product, if the change is to a single one. */
  productId?: number | null
  /** Merge patches of that product's settings: `before` undoes the change, `after` makes it. */
  change?: ProductChange | null
}

export interface ProductChange {
  before: Readonly<Record<string, unknown>>
  after: Readonly<Record<string, unknown>>
}

/** Writes an entry. Details that PostgreSQL cannot store are dropped: an entry without details is better than a refused change. */
export function auditInsert(tx: Tx, accountId: number, actor: Actor, change: AuditChange) {
  const details = JSON.stringify(change.details)
  const stored = UNSTORABLE.test(details) ? '{}' : details
  const ofProduct = change.change === undefined || change.change === null ? null : JSON.stringify(change.change)
  const kept = ofProduct === null || UNSTORABLE.test(ofProduct) ? null : ofProduct
  return tx`
    insert into audit_entry (account_id, person_id, actor, address, user_agent, action, target, details, product_id, change)
    values (${accountId}, ${actor.personId}, ${actor.name}, ${actor.address}, ${actor.userAgent}, ${change.action},
      ${change.target}, ${stored}::text::jsonb, ${change.productId ?? null}, ${kept}::text::jsonb)`
}

export interface AuditRow extends Omit<AuditChange, 'productId' | 'change'>, From {
  entryId: number
  at: Date
  personId: number | null
  actor: string
}

/** Entries of an account, newest first. @param page.before an entry's id, exclusive */
export function auditList(
  reader: Reader,
  accountId: number,
  page: { before?: number | undefined; personId?: number | undefined; action?: string | undefined; limit: number },
) {
  const { before = Number.MAX_SAFE_INTEGER, personId = null, action = null, limit } = page
  return reader<AuditRow[]>`
    select entry_id as "entryId", at, person_id as "personId", actor, address, user_agent as "userAgent", action, target, details
    from audit_entry
    where account_id = ${accountId} and entry_id < ${before}
      and (${personId}::bigint is null or person_id = ${personId}) and (${action}::text is null or action = ${action})
    order by entry_id desc limit ${limit}`
}

/**
 * Entries of an account after an entry's id, the oldest first. An id is assigned before its transaction commits, so an entry with a smaller id may
 * appear later.
 * @param settledSeconds age from which an entry is settled: none with a smaller id can appear any more
 */
export function auditAfter(
  reader: Reader,
  accountId: number,
  { after, limit, settledSeconds }: { after: number; limit: number; settledSeconds: number },
) {
  return reader<(AuditRow & { isSettled: boolean })[]>`
    select entry_id as "entryId", at, person_id as "personId", actor, address, user_agent as "userAgent", action, target, details,
      at < now() - make_interval(secs => ${settledSeconds}) as "isSettled"
    from audit_entry
    where account_id = ${accountId} and entry_id > ${after}
    order by entry_id limit ${limit}`
}

export interface ProductEditRow {
  entryId: number
  at: Date
  actor: string
  action: string
  details: Readonly<Record<string, unknown>>
  change: ProductChange | null
}

/** Entries about one product, newest first. @param before an entry's id, exclusive */
export function auditOfProduct(
  reader: Reader,
  accountId: number,
  productId: number,
  before: number | undefined,
  limit: number,
) {
  return reader<ProductEditRow[]>`
    select entry_id as "entryId", at, actor, action, details, change from audit_entry
    where account_id = ${accountId} and product_id = ${productId} and entry_id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by entry_id desc limit ${limit}`
}

/** A person whose name must be removed from what others read. */
export interface Forgotten {
  /** Null: nobody signs in with the address, or the person has been deleted. */
  personId: number | null
  email: string
}

/** Replaces the name of an erased person. */
export const ERASED_PERSON = 'erased person'

/**
 * Removes a person from the next `limit` entries of an account after an entry: from the person's own entries name, address and browser, from all
 * others the e-mail address, whoever wrote it there. The entries are kept, with action and time.
 * @returns how many entries were changed, and the id of the last one that was checked; null at the end
 */
export async function auditForget(
  tx: Tx,
  accountId: number,
  { personId, email }: Forgotten,
  afterId: number,
  limit: number,
): Promise<{ changed: number; lastId: number | null }> {
  const [page] = await tx<{ lastId: number | null; count: number }[]>`
    select max(entry_id) as "lastId", count(*)::int as count from (
      select entry_id from audit_entry where account_id = ${accountId} and entry_id > ${afterId}
      order by entry_id limit ${limit}) page`
  const { lastId = null, count = 0 } = page ?? {}
  if (lastId === null) return { changed: 0, lastId: null }
  const named = addressPattern(email)
  // after an interrupted erasure the person has no id any more, so own entries are found by the address at the end of `actor`
  const own = `<${email.toLowerCase()}>`
  const { count: changed } = await tx`
    update audit_entry set
      actor = case when is_own then ${ERASED_PERSON} else regexp_replace(actor, ${named}, ${ERASED_PERSON}, 'gi') end,
      address = case when is_own then '' else address end,
      user_agent = case when is_own then '' else user_agent end,
      target = regexp_replace(target, ${named}, ${ERASED_PERSON}, 'gi'),
      details = regexp_replace(details::text, ${named}, ${ERASED_PERSON}, 'gi')::jsonb
    from (
      select entry_id as id, coalesce(person_id = ${personId}, false) or right(lower(actor), ${own.length}) = ${own} as is_own
      from audit_entry where account_id = ${accountId} and entry_id > ${afterId} and entry_id <= ${lastId}) page
    where account_id = ${accountId} and entry_id = page.id
      and (is_own and actor <> ${ERASED_PERSON} or (actor || ' ' || target || ' ' || details::text) ~* ${named})`
  return { changed, lastId: count < limit ? null : lastId }
}

/** Matches an address, but not a longer one that contains it. */
const addressPattern = (email: string): string =>
  `(?<![[:alnum:]._%+'-])${email.replaceAll(/[^\p{L}\p{N}@_-]/gu, '\\$&')}(?![.]?[[:alnum:]-])`
