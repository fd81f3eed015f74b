import type { Reader, Tx } from '../sql.ts'
import { must } from '../../platform/must.ts'

// Citus: the cluster, and the distribution of tables over its nodes. Functions of Citus are named only in statements that are sent after
// clusterGet has found the extension.

export interface Cluster {
  /** Version of the extension. */
  version: string
  /** The number of nodes with shards. */
  workers: number
  /** Whether the coordinator is among the nodes, which reference tables with foreign keys need. */
  hasCoordinator: boolean
}

/** The cluster of this database; undefined on plain PostgreSQL. */
export async function clusterGet(reader: Reader): Promise<Cluster | undefined> {
  const [extension] = await reader<{ version: string }[]>`
    select extversion as version from pg_extension where extname = 'citus'`
  if (extension === undefined) return undefined
  const [row] = await reader<{ workers: number; hasCoordinator: boolean }[]>`
    select count(*) filter (where shouldhaveshards)::int as workers, coalesce(bool_or(groupid = 0), false) as "hasCoordinator"
    from pg_dist_node where noderole = 'primary' and isactive`
  return { version: extension.version, ...must(row) }
}

export interface TableState {
  name: string
  hasAccountId: boolean
  kind: 'local' | 'reference' | 'by account'
}

/** All tables of the schema. Only on Citus. */
export function tablesList(reader: Reader) {
  return reader<TableState[]>`
    select c.relname as name, a.attnum is not null as "hasAccountId",
      case p.partmethod when 'n' then case p.repmodel when 't' then 'reference' else 'local' end when 'h' then 'by account' else 'local' end as kind
    from pg_class c
    left join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    order by c.relname`
}

export interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Drops the foreign keys from and to these tables. @returns the keys, to be added again. */
export async function foreignKeysDrop(tx: Tx, tables: readonly string[]): Promise<ForeignKey[]> {
  const keys = await tx<ForeignKey[]>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace
      and (c.relname = any(${[...tables]}::text[]) or r.relname = any(${[...tables]}::text[]))
    order by c.relname, k.conname`
  for (const key of keys) await tx`alter table ${tx(key.table)} drop constraint ${tx(key.name)}`
  return keys
}

export async function foreignKeyAdd(tx: Tx, key: ForeignKey): Promise<void> {
  await tx`alter table ${tx(key.table)} add constraint ${tx(key.name)} ${tx.unsafe(key.definition)}`
}

/** Locks tables against all readers and writers; waits for others at most `seconds` per table. */
export async function tablesLock(tx: Tx, tables: readonly string[], seconds: number): Promise<void> {
  await tx.unsafe(`set local lock_timeout = '${seconds}s'`)
  for (const table of tables) await tx`lock table ${tx(table)} in access exclusive mode`
  await tx`set local lock_timeout = 0`
}

/** Distributes the first table, which all others are colocated with. @param shards null: the server's default. */
export async function firstTableDistribute(tx: Tx, table: string, shards: number | null): Promise<void> {
  await tx`select create_distributed_table(${table}::text::regclass, 'account_id', colocate_with => 'none', shard_count => ${shards})`
}

/** Distributes another table by the function of migration 009, as later migrations do. */
export async function tableDistribute(tx: Tx, table: string, kind: 'by account' | 'reference'): Promise<void> {
  await tx`select distribute_table(${table}::text::regclass, ${kind})`
}

/** Deletes the rows that a table had before it was distributed; the shards have copies. */
export async function localRowsDelete(tx: Tx, table: string): Promise<void> {
  await tx`select truncate_local_data_after_distributing_table(${table}::text::regclass)`
}

/**
 * Stores the planner setting of our connections for our role, on all nodes: a coordinator does not pass on the settings of a session, but
 * it does pass on this statement.
 */
export async function plannerSettingStore(tx: Tx): Promise<void> {
  const [row] = await tx<{ name: string }[]>`select current_database() as name`
  await tx`alter role current_user in database ${tx(must(row).name)} set enable_seqscan = off`
}
