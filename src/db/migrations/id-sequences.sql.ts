import type { Tx } from '../sql.ts'

/**
 * Advances every sequence of the schema, so that ids assigned after a backup, which clients may know, are not assigned again
 * after it is restored. A rollback does not undo this, because sequences are not transactional.
 * @returns the number of sequences.
 */
export async function idSequencesAdvance(tx: Tx, by: number): Promise<number> {
  const rows = await tx`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${by}::bigint)
    from pg_sequences where schemaname = current_schema()`
  return rows.length
}
