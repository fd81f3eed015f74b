import type { BudgetName } from '../../contract/account-limits.ts'
import type { ACCOUNT_BUCKETS } from '../accounts/token-rates.sql.ts'
import type { CountedBudget } from '../accounts/limits/use.sql.ts'
import type { Reader } from '../db/sql.ts'

/** Budgets with so few items that they are counted when needed. */
type Few = Exclude<
  BudgetName,
  | CountedBudget
  | keyof typeof ACCOUNT_BUCKETS
  | 'rule_bytes'
  | 'attribute_bytes'
  | 'category_bytes'
  | 'members'
  | 'tokens'
  | 'concurrent_requests'
>

/** The present use of these budgets. */
export function budgetUses(reader: Reader, accountId: number) {
  return reader<{ budget: Few; used: number }[]>`
    select 'stores' as budget, (select count(*) from store where account_id = ${accountId} and deleted_at is null) as used
    union all select 'groups', (select count(*) from customer_group where account_id = ${accountId})
    union all select 'suppliers', (select count(*) from supplier where account_id = ${accountId} and deleted_at is null)
    union all select 'sources', (select count(*) from supplier_source where account_id = ${accountId})
    union all select 'pricing_rules', (select count(*) from pricing_rule where account_id = ${accountId})
    union all select 'exclusion_rules', (select count(*) from exclusion_rule where account_id = ${accountId})
    union all select 'assortment_rules', (select count(*) from assortment_rule where account_id = ${accountId})
    union all select 'endpoints', (select count(*) from endpoint where account_id = ${accountId})
    union all select 'import_file_bytes', (select coalesce(sum(bytes), 0)::bigint from (
      select max(file_bytes) as bytes from import_run where account_id = ${accountId} and file_key is not null group by file_key) kept)
    union all select 'imports_per_hour', (select count(*) from import_run
      where account_id = ${accountId} and trigger <> 'undo' and created_at > now() - interval '1 hour')
    union all select 'operations_per_hour', (select count(*) from operation
      where account_id = ${accountId} and kind not in ('resolve', 'delete_store', 'delete_supplier') and created_at > now() - interval '1 hour')`
}
