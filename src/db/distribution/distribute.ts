import { withMigrationLock } from '../migrations/migrate.ts'
import { inTransaction, type Db } from '../sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import {
  clusterGet,
  firstTableDistribute,
  foreignKeyAdd,
  foreignKeysDrop,
  localRowsDelete,
  plannerSettingStore,
  tableDistribute,
  tablesList,
  tablesLock,
  type TableState,
} from './distribution.sql.ts'

/**
 * Tables that are read before the account is known, so that every node has a copy. They are few, because each write of one is a write on
 * all nodes, and a row lock on one blocks writers of the whole cluster. @internal for tests
 * docs/decisions/081-tables-are-distributed-by-account.md says why.
 */
export const REFERENCE_TABLES: readonly string[] = [
  'account',
  'channel_file',
  'endpoint_link',
  'known_device',
  'ended_session',
  'security_mail',
  'one_time_link',
  'passkey',
  'person',
  'person_event',
  'person_identity',
  'recovery_code',
  'session',
  'sign_in_step',
  'token',
]
/** Tables of the installation, which only the coordinator has. @internal for tests */
export const COORDINATOR_TABLES: readonly string[] = [
  'account_erasure',
  'bank_rate',
  'bank_rate_fetch',
  'created_account',
  'image_host',
  'last_backup',
  'schema_migration',
]
/** The table that all others are colocated with, so that the rows of an account are on one node. */
const FIRST_TABLE = 'product'
/** How long to wait for processes that use the tables, in seconds. */
const LOCK_SECONDS_MAX = 10
const LOCK_NOT_AVAILABLE = '55P03'

export interface Distributed {
  /** Tables that this run distributed by account. */
  byAccount: string[]
  /** Tables that this run copied to every node. */
  reference: string[]
  /** The number of tables that were distributed before. */
  unchanged: number
  /** The number of nodes with shards. */
  workers: number
}

/**
 * Distributes the tables over the nodes of the database's Citus cluster, in one transaction: rows, keys, ids and cursors are kept. Tables
 * that are already distributed are skipped. The database may be empty or not; processes of the service wait for this, or this waits for
 * them.
 * @param options.shards shards per table; null: the server's citus.shard_count. A later run cannot change it.
 * @throws ShelfwireError `database-unusable` on plain PostgreSQL, in a cluster without workers, and if there are tables that are not
 * Shelfwire's; `conflict` while others lock the tables
 */
export async function distribute(
  db: Db,
  options: { shards: number | null },
  onProgress: (done: number, total: number, table: string) => void = () => {},
): Promise<Distributed> {
  const distributed = await withMigrationLock(db, async (tx) => {
    const cluster = await clusterGet(tx)
    if (cluster === undefined)
      throw unusable(
        'it has no extension "citus"; create it on every node and add the workers to the coordinator first',
      )
    if (!cluster.hasCoordinator)
      throw unusable("the coordinator is not among the nodes: select citus_set_coordinator_host('host', port)")
    if (cluster.workers === 0)
      throw unusable("no node takes shards: select citus_add_node('host', port) for each worker")
    const tables = await tablesList(tx)
    const { byAccount, reference, unchanged } = planOf(tables)
    const names = [...reference, ...byAccount]
    if (names.length > 0) {
      await tablesLock(tx, names.toSorted(), LOCK_SECONDS_MAX).catch((error: unknown) => {
        if (!(error instanceof Error) || !('code' in error) || error.code !== LOCK_NOT_AVAILABLE) throw error
        throw new ShelfwireError(
          'conflict',
          `the tables were in use for ${LOCK_SECONDS_MAX} s; stop imports and other processes of the service, and try again`,
          { cause: error },
        )
      })
      // dropped and added again, because Citus refuses foreign keys between tables that are not all distributed yet
      const keys = await foreignKeysDrop(tx, names)
      const steps = names.length + keys.length
      let done = 0
      // FIRST_TABLE first, because the others are colocated with it
      for (const name of names.toSorted((a, b) => Number(b === FIRST_TABLE) - Number(a === FIRST_TABLE))) {
        onProgress(done++, steps, name)
        if (name === FIRST_TABLE) await firstTableDistribute(tx, name, options.shards)
        else await tableDistribute(tx, name, reference.includes(name) ? 'reference' : 'by account')
      }
      for (const name of names) await localRowsDelete(tx, name)
      for (const key of keys) {
        onProgress(done++, steps, key.name)
        await foreignKeyAdd(tx, key)
      }
    }
    return { byAccount, reference, unchanged, workers: cluster.workers }
  })
  await inTransaction(db, plannerSettingStore)
  return distributed
}

/** Decides which tables to distribute by account and which to copy. */
function planOf(tables: readonly TableState[]): Pick<Distributed, 'byAccount' | 'reference' | 'unchanged'> {
  const ours = tables.filter((table) => !COORDINATOR_TABLES.includes(table.name))
  const unknown = ours.filter((table) => !table.hasAccountId && !REFERENCE_TABLES.includes(table.name))
  if (unknown.length > 0) {
    throw unusable(
      `it has tables without account_id that are not Shelfwire's: ${unknown.map((table) => table.name).join(', ')}; move them to another schema or database`,
    )
  }
  const isReference = (table: TableState) => REFERENCE_TABLES.includes(table.name)
  const waiting = ours.filter((table) => table.kind === 'local')
  return {
    byAccount: waiting.filter((table) => !isReference(table)).map((table) => table.name),
    reference: waiting.filter(isReference).map((table) => table.name),
    unchanged: ours.length - waiting.length,
  }
}

function unusable(reason: string): ShelfwireError {
  return new ShelfwireError('database-unusable', `this database cannot be distributed: ${reason}`)
}
