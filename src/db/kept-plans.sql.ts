import type { Tx } from './sql.ts'

/**
 * Lets the rest of a transaction run its statements by the plans that they were prepared with. For lists with a single product PostgreSQL
 * estimates that a new plan is better and makes one for each statement, which took a fifth of its time for a small write. A Citus cluster finds the node of
 * an account while it plans, by the values: there it stays as it is. docs/decisions/157-statements-of-a-write-travel-together.md says what else
 * makes small writes cheap.
 */
export const plansKeep = (tx: Tx) => tx`
  select set_config('plan_cache_mode', 'force_generic_plan', true) where current_setting('citus.shard_count', true) is null`
