/**
 * All our statements look rows up by key. A prepared statement is planned early, and its plan is kept while the tables grow, so it must not
 * depend on how small they were. For the same reason joins are written as `lateral (... offset 0)`: without statistics, the planner considers
 * the prefix (account_id) selective and scans a whole account (measured at 10,000 products: 261 ms per batch, 3 ms with `lateral`). The
 * coordinator of a Citus cluster waits 5 s instead of 30 s for a node that has vanished; plain PostgreSQL ignores that setting.
 * docs/decisions/016-plans-do-not-depend-on-statistics.md says why.
 */
const SETTINGS = '-c enable_seqscan=off -c citus.node_connection_timeout=5000'

/** The schema of the functions that return a moved time (moved-clock.sql.ts). Nothing else is in it. */
export const CLOCK_SCHEMA = 'shelfwire_clock'

/** The options of new connections. With an offset, now() and similar functions are found in CLOCK_SCHEMA before PostgreSQL's own. */
export function sessionOptions(clockOffsetMs: number): string {
  if (clockOffsetMs === 0) return SETTINGS
  return `${SETTINGS} -c search_path="$user",public,${CLOCK_SCHEMA},pg_catalog -c shelfwire.clock_offset=PT${clockOffsetMs / 1_000}S`
}
