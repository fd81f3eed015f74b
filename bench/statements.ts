import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../src/db/sql.ts'
import { PROFILE_DIRECTORY } from './environment.ts'

/** Starts to collect statement statistics if BENCH_PROFILE is set; the returned function writes them to a file. */
export async function statementTimes(db: Db): Promise<() => Promise<void>> {
  if (PROFILE_DIRECTORY === '') return async () => {}
  await db.unsafe('create extension if not exists pg_stat_statements')
  await db.unsafe('select pg_stat_statements_reset()')
  return async () => {
    const rows = await db.unsafe<
      { calls: number; total: number; mean: number; rows: number; blocks: number; query: string }[]
    >(`
      select calls, total_exec_time as total, mean_exec_time as mean, rows, shared_blks_hit + shared_blks_read as blocks,
        regexp_replace(query, '\\s+', ' ', 'g') as query
      from pg_stat_statements order by total_exec_time desc limit 45`)
    const lines = rows.map(
      (row) =>
        `${row.total.toFixed(0).padStart(9)} ms ${String(row.calls).padStart(8)} calls ${row.mean.toFixed(3).padStart(9)} ms ${String(row.rows).padStart(9)} rows ${String(row.blocks).padStart(10)} blocks  ${row.query.slice(0, 150)}`,
    )
    await mkdir(PROFILE_DIRECTORY, { recursive: true })
    await writeFile(join(PROFILE_DIRECTORY, 'statements.txt'), `${lines.join('\n')}\n`)
  }
}
