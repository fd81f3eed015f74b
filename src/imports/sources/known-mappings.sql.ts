import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'

/** A mapping as it was given, and its supplier. */
interface KnownMappingRow {
  supplier: string
  isOwn: boolean
  mapping: string
}

/**
 * Mappings that the account uses: those of its sources, and for each supplier that of its last import without a source. The supplier's own come
 * first, then the most recently used. Their number is limited, and longer ones are left out. As JSON texts.
 */
export function mappingsInUse(reader: Reader, accountId: number, supplierId: number) {
  return reader<KnownMappingRow[]>`
    select supplier.name as supplier, supplier.supplier_id = ${supplierId} as "isOwn", used.mapping
    from (
      select supplier_id, mapping::text as mapping, coalesce(last_run_at, created_at) as at, source_id as id
      from supplier_source where account_id = ${accountId}
      union all
      select supplier_id, mapping::text, ended_at, run_id from (
        select distinct on (supplier_id) supplier_id, mapping, ended_at, run_id from (
          select supplier_id, mapping, ended_at, run_id, source_id, state, is_dry_run
          from import_run where account_id = ${accountId}
          order by run_id desc limit ${LIMITS.knownMappingRunsMax}
        ) recent
        where state = 'succeeded' and mapping is not null and source_id is null and not is_dry_run
        order by supplier_id, run_id desc
      ) last_of_supplier
    ) used
    join supplier on supplier.account_id = ${accountId} and supplier.supplier_id = used.supplier_id
    where length(used.mapping) <= ${LIMITS.knownMappingCharactersMax}
    order by supplier.supplier_id = ${supplierId} desc, used.at desc, used.id desc
    limit ${LIMITS.knownMappingsMax}`
}
