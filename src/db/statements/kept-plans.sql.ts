import type { Tx } from '../sql.ts'

/**
 * Makes the rest of a transaction run prepared statements by their generic plans. For lists with a single product, PostgreSQL estimates that a custom
 * plan is better and makes one for each statement, which took a fifth of its time for a small write. Not on a Citus cluster, which finds an account's
 * node by planning with the values. docs/decisions/157-statements-of-a-write-travel-together.md says what else makes small writes cheap.
 */
export const useGenericPlans = (tx: Tx) => tx`
  select set_config('plan_cache_mode', 'force_generic_plan', true) where current_setting('citus.shard_count', true) is null`
