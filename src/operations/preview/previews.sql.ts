import type { Reader } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'

/** The number of an account's open previews. */
export async function previewsOpen(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from operation where account_id = ${accountId} and ended_at is null and kind = 'preview'`
  return must(row).count
}

/** The request of a preview as JSON; '{}' if it was cancelled meanwhile. */
export async function previewChange(reader: Reader, accountId: number, operationId: number): Promise<string> {
  const [row] = await reader<{ rows: string }[]>`
    select rows from operation_chunk where account_id = ${accountId} and operation_id = ${operationId} and first_row = 1`
  return row?.rows ?? '{}'
}

/** A preview over all products, with its progress as JSON; both are null if it was cancelled or failed. */
export interface StoredPreview {
  operationId: number
  progress: string | null
  request: string | null
}

/** Previews of the account, newest first. @param operationId only this one; null: all. */
export function previewsList(reader: Reader, accountId: number, operationId: number | null, limit: number) {
  return reader<StoredPreview[]>`
    select o.operation_id as "operationId", p.rows as progress, r.rows as request
    from operation o
    left join lateral (
      select rows from operation_chunk where account_id = ${accountId} and operation_id = o.operation_id and first_row = 0 offset 0
    ) p on true
    left join lateral (
      select rows from operation_chunk where account_id = ${accountId} and operation_id = o.operation_id and first_row = 1 offset 0
    ) r on true
    where o.account_id = ${accountId} and o.kind = 'preview'
      and (${operationId}::bigint is null or o.operation_id = ${operationId})
    order by o.operation_id desc limit ${limit}`
}
