/**
 * All our statements look rows up by key. A prepared statement is planned early and its plan is kept while the tables grow, so
 * it must not depend on how small they were. For the same reason joins are written as `lateral (... offset 0)`: without
 * statistics the planner takes the prefix (account_id) for selective and scans a whole account (measured at 10,000 products:
 * 261 ms per batch, 3 ms with `lateral`).
 * The coordinator of a Citus cluster waits 5 s for a node that has vanished, and not 30. Plain PostgreSQL ignores that.
 * docs/decisions/016-plans-do-not-depend-on-statistics.md says why.
 */
const SETTINGS = '-c enable_seqscan=off -c citus.node_connection_timeout=5000'

/** The schema of the functions that tell a moved time (moved-clock.sql.ts). Nothing else is in it. */
export const CLOCK_SCHEMA = 'shelfwire_clock'

/** What a connection is opened with. With an offset, now() and its kin are found in CLOCK_SCHEMA before they are found in PostgreSQL's own. */
export function sessionOptions(clockOffsetMs: number): string {
  if (clockOffsetMs === 0) return SETTINGS
  return `${SETTINGS} -c search_path="$user",public,${CLOCK_SCHEMA},pg_catalog -c shelfwire.clock_offset=PT${clockOffsetMs / 1_000}S`
}
