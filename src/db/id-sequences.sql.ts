import type { Tx } from './sql.ts'

/**
 * Jumps every sequence of the schema, so that ids which were assigned after a backup was made, and may be known outside, are not
 * assigned again after it was restored. Sequences move for good, whatever becomes of the transaction.
 * @returns how many sequences there are.
 */
export async function idSequencesAdvance(tx: Tx, by: number): Promise<number> {
  const rows = await tx`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${by}::bigint)
    from pg_sequences where schemaname = current_schema()`
  return rows.length
}
