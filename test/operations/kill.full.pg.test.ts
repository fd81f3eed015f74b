import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { deleteStore } from '../../src/catalog/settings/stores/stores.ts'
import { deleteSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { spool } from '../../src/operations/spool.ts'
import { operationErrors, operationGet, trackDeletion } from '../../src/operations/operations.sql.ts'
import { createAccount, giveOffers, offer, expectAudited } from '../harness/account.ts'
import { startProcess } from '../harness/child-process.ts'
import { isCluster } from '../harness/database.ts'
import { inTurn } from '../harness/gate.ts'
import { until } from '../harness/interleave.ts'
import { SMALL, type Job } from './child.ts'
import { OPERATION_POINTS } from './operation-points.ts'
import { worldOfFile } from '../harness/world.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const PRODUCTS = 70
const { database, bench } = worldOfFile()

async function runChild(job: Job, killAt?: string) {
  const end = await startProcess(CHILD, job, killAt).ended
  await until(
    'the server drops the connections of a process that ended',
    async () =>
      (
        await database.db`select from pg_stat_activity where application_name = 'operations-child' and datname = current_database()`
      ).length === 0,
    5_000,
  )
  return end
}

// a gate kills at both points, at one of the passes
const runs = OPERATION_POINTS.flatMap((point) => inTurn([1, 2, 4]).map((pass) => ({ at: `${point}#${pass}` })))

test.for(runs)(
  'killed at $at and run again, every row was applied once and nothing is left of what was deleted',
  async ({ at }) => {
    const account = await createAccount(bench, at)
    const { accountId, storeIds, suppliers } = account
    const ids = await giveOffers(
      bench,
      account,
      Array.from({ length: PRODUCTS }, (_, i) => offer(`K${i}`)),
    )
    await giveOffers(
      bench,
      account,
      Array.from({ length: PRODUCTS }, (_, i) => offer(`G${i}`)),
      1,
    )
    // a row that is applied twice would be noticed: a trigger counts the writes of each row; Citus has no triggers
    if (!isCluster()) {
      await database.db.unsafe(`create table if not exists written (product_id bigint)`)
      await database.db.unsafe(
        `create or replace function count_write() returns trigger language plpgsql as $$ begin insert into written values (new.product_id); return new; end $$`,
      )
      await database.db.unsafe(
        'create or replace trigger count_write after insert or update on own_stock for each row execute function count_write()',
      )
    }
    const chunkRows = LIMITS.operationChunkRows
    Object.assign(LIMITS, { operationChunkRows: SMALL.operationChunkRows })
    const rows = ids.map((productId, i) => ({ product_id: productId, quantity: i % 10 === 3 ? 'x' : i }))
    const [bulk, store, supplier] = await inTransaction(database.db, async (tx) => {
      const bulkId = await spool(tx, accountId, 'bulk_stock', rows, false)
      await deleteStore(tx, accountId, storeIds[1])
      await deleteSupplier(tx, accountId, suppliers[1]!.supplierId)
      const storeId = await trackDeletion(tx, accountId, 'delete_store', storeIds[1])
      return [bulkId, storeId, await trackDeletion(tx, accountId, 'delete_supplier', suppliers[1]!.supplierId)]
    })
    Object.assign(LIMITS, { operationChunkRows: chunkRows })
    const job = { url: database.url, accountId }
    const first = await runChild(job, at)
    expect(first, first.said).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect((await operationGet(database.db, accountId, bulk))?.done).toBe(passesDone(at))
    const second = await runChild(job)
    expect(second, second.said).toMatchObject({ code: 0, signal: null })
    await expectAudited(database.db, accountId)
    const good = ids.filter((_, i) => i % 10 !== 3)
    expect(await operationGet(database.db, accountId, bulk)).toMatchObject({
      state: 'succeeded',
      done: PRODUCTS,
      changed: good.length,
      failed: PRODUCTS - good.length,
    })
    expect((await operationErrors(database.db, accountId, bulk, -1, 100)).map(({ row }) => row)).toEqual([
      3, 13, 23, 33, 43, 53, 63,
    ])
    if (!isCluster()) {
      const writes = await database.db<{ id: number; count: number }[]>`
      select product_id as id, count(*)::int as count from written where product_id = any(${ids}::bigint[]) group by 1 order by 1`
      expect([...writes]).toEqual(good.toSorted((a, b) => a - b).map((id) => ({ id, count: 1 })))
    }
    for (const id of [store, supplier])
      expect(await operationGet(database.db, accountId, id)).toMatchObject({ state: 'succeeded' })
    const [left] = await database.db`
    select (select count(*)::int from payload_price where account_id = ${accountId} and store_id = ${storeIds[1]}) as payloads,
      (select count(*)::int from change where account_id = ${accountId} and store_id = ${storeIds[1]}) as changes,
      (select count(*)::int from offer where account_id = ${accountId} and supplier_id = ${suppliers[1]!.supplierId}) as offers`
    expect(left).toEqual({ payloads: 0, changes: 0, offers: 0 })
  },
)

/** The number of rows of the bulk that are written when the process is killed there; a pass is a chunk, then a step of a deletion. */
function passesDone(at: string): number {
  const [point, pass] = at.split('#')
  const commits = Number(pass) - (point === 'operation:before-commit' ? 1 : 0)
  return SMALL.operationChunkRows * Math.ceil(commits / 2)
}
