import { among, type Accounts } from '../db/among.ts'
import type { Reader } from '../db/sql.ts'

// What waits in the whole installation, per account, for the figures of those who run it.

/** Marks that wait to be shelved. Their age is in no row: `first` and `last` are what a later look is compared with. */
export function waitingMarks(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number; first: number; last: number }[]>`
    select account_id as "accountId", count(*) as count, min(mark_id) as first, max(mark_id) as last from mark${among(reader, 'where', accounts)}
    group by account_id`
}

export function waitingSweeps(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number; seconds: number }[]>`
    select account_id as "accountId", count(*) as count,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as seconds
    from sweep${among(reader, 'where', accounts)} group by account_id`
}

export function openOperations(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; state: string; count: number; seconds: number }[]>`
    select account_id as "accountId", state, count(*) as count,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as seconds
    from operation where ended_at is null${among(reader, 'and', accounts)} group by account_id, state`
}

/** Of a run that is tried again later only the time since then counts. */
export function openImports(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; state: string; count: number; seconds: number }[]>`
    select account_id as "accountId", state, count(*) as count,
      greatest(0, extract(epoch from now() - min(greatest(created_at, due_at))))::float8 as seconds
    from import_run where ended_at is null${among(reader, 'and', accounts)} group by account_id, state`
}

/** Sources whose last runs ended without an import. */
export function failingSources(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number }[]>`
    select account_id as "accountId", count(*) as count from supplier_source
    where is_active and failed_since is not null${among(reader, 'and', accounts)} group by account_id`
}

/** Endpoints whose last delivery failed, and those that are paused for it. */
export function failingEndpoints(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; failing: number; paused: number }[]>`
    select e.account_id as "accountId", count(*) filter (where s.paused_until is null) as failing,
      count(*) filter (where s.paused_until is not null) as paused
    from endpoint_state s join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
    where e.is_enabled and (s.failures > 0 or s.paused_until is not null)${among(reader, 'and', accounts, 's')}${among(reader, 'and', accounts, 'e')}
    group by e.account_id`
}

/** Pictures that are due now; of an account at most `limit` are counted. */
export function duePictures(reader: Reader, limit: number, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number }[]>`
    select a.account_id as "accountId", due.count
    from account_inputs a cross join lateral (
      select count(*) as count from (
        select 1 from image i where i.account_id = a.account_id${among(reader, 'and', accounts, 'i')} and i.next_fetch_at <= now()
        limit ${limit}) k offset 0) due
    where a.image_base <> ''${among(reader, 'and', accounts, 'a')} and due.count > 0`
}

/** The accounts that use most of a budget. */
export function largestUses(reader: Reader, budget: string, limit: number, accounts: Accounts = null) {
  return reader<{ accountId: number; amount: number }[]>`
    select account_id as "accountId", amount from account_use
    where budget = ${budget} and amount > 0${among(reader, 'and', accounts)} order by amount desc, account_id limit ${limit}`
}
