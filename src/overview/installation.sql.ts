import { accountCondition, type Accounts } from '../db/fragments/account-condition.ts'
import type { Reader } from '../db/sql.ts'

// Pending work of the whole installation, per account, for the operator's metrics.

/** Marks waiting to be shelved. No row has their age, so a later scrape compares `first` and `last` with these. */
export function waitingMarks(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number; first: number; last: number }[]>`
    select account_id as "accountId", count(*) as count, min(mark_id) as first, max(mark_id) as last from mark${accountCondition(reader, 'where', accounts)}
    group by account_id`
}

export function waitingSweeps(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number; seconds: number }[]>`
    select account_id as "accountId", count(*) as count,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as seconds
    from sweep${accountCondition(reader, 'where', accounts)} group by account_id`
}

export function openOperations(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; state: string; count: number; seconds: number }[]>`
    select account_id as "accountId", state, count(*) as count,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as seconds
    from operation where ended_at is null${accountCondition(reader, 'and', accounts)} group by account_id, state`
}

/** For a run that will be retried, only the time since it became due counts. */
export function openImports(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; state: string; count: number; seconds: number }[]>`
    select account_id as "accountId", state, count(*) as count,
      greatest(0, extract(epoch from now() - min(greatest(created_at, due_at))))::float8 as seconds
    from import_run where ended_at is null${accountCondition(reader, 'and', accounts)} group by account_id, state`
}

/** Sources whose last runs ended without an import. */
export function failingSources(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number }[]>`
    select account_id as "accountId", count(*) as count from supplier_source
    where is_active and failed_since is not null${accountCondition(reader, 'and', accounts)} group by account_id`
}

/** Endpoints whose last delivery failed, and those that are paused because of failures. */
export function failingEndpoints(reader: Reader, accounts: Accounts = null) {
  return reader<{ accountId: number; failing: number; paused: number }[]>`
    select e.account_id as "accountId", count(*) filter (where s.paused_until is null) as failing,
      count(*) filter (where s.paused_until is not null) as paused
    from endpoint_state s join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
    where e.is_enabled and (s.failures > 0 or s.paused_until is not null)${accountCondition(reader, 'and', accounts, 's')}${accountCondition(reader, 'and', accounts, 'e')}
    group by e.account_id`
}

/** Pictures that are due now, counted up to `limit` per account. */
export function duePictures(reader: Reader, limit: number, accounts: Accounts = null) {
  return reader<{ accountId: number; count: number }[]>`
    select a.account_id as "accountId", due.count
    from account_inputs a cross join lateral (
      select count(*) as count from (
        select 1 from image i where i.account_id = a.account_id${accountCondition(reader, 'and', accounts, 'i')} and i.next_fetch_at <= now()
        limit ${limit}) k offset 0) due
    where a.image_base <> ''${accountCondition(reader, 'and', accounts, 'a')} and due.count > 0`
}

/** The accounts that use most of a budget. */
export function largestUses(reader: Reader, budget: string, limit: number, accounts: Accounts = null) {
  return reader<{ accountId: number; amount: number }[]>`
    select account_id as "accountId", amount from account_use
    where budget = ${budget} and amount > 0${accountCondition(reader, 'and', accounts)} order by amount desc, account_id limit ${limit}`
}
